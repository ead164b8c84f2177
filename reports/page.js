(function () {
  'use strict';
  function all(selector, from) { return Array.prototype.slice.call((from || document).querySelectorAll(selector)); }

  // Search by number, label, line, id or words of an id, over an index that the page brings along.
  function find(form, index) {
    var list = form.querySelector('ul'), output = form.querySelector('output');
    var single = document.querySelector('section.result') !== null;
    function link(place, id) {
      var file = index.places[place][1];
      return (single ? '' : 'results/' + file + '.html') + '#' + (id === null ? (single ? file : 'top') : encodeURIComponent(id));
    }
    function add(href, text, aside) {
      var item = document.createElement('li'), a = document.createElement('a'), small = document.createElement('small');
      a.href = href; a.textContent = text; small.textContent = ' ' + aside;
      item.appendChild(a); item.appendChild(small); list.appendChild(item);
    }
    function stands(lines, line) {
      return lines.split(',').some(function (span) {
        var ends = span.trim().split('-');
        return Number(ends[0]) <= line && line <= Number(ends[ends.length - 1]) && ends[0] !== '';
      });
    }
    function plain(s) { return s.toLowerCase().replace(/[-_]/g, ' '); }
    function apply() {
      var text = form.elements.text.value.trim(), line = /^\d+$/.test(text) ? Number(text) : 0, words = plain(text).split(/\s+/), n = 0;
      list.textContent = ''; output.textContent = '';
      if (text === '') return;
      function meets(s) { return words.every(function (w) { return plain(s).indexOf(w) >= 0; }); }
      index.places.forEach(function (p, i) {
        if (line === 0 && meets(p[0])) { add(link(i, null), p[0], 'page'); n++; }
      });
      index.claims.forEach(function (c) {
        var place = c[5] || index.places[c[1]][0], verdict = index.verdicts[c[3]];
        if (line > 0 ? !stands(c[2], line) : !meets([c[0], place, c[4], verdict].join(' '))) return;
        if (++n <= 60) add(link(c[1], c[0]), c[0], [place, c[2] && 'lines ' + c[2], verdict].filter(Boolean).join(' · '));
      });
      output.textContent = n === 0 ? 'nothing' : n > 60 ? 'the first of ' + n : '';
    }
    form.hidden = false;
    form.addEventListener('input', apply);
    form.addEventListener('submit', function (e) {
      e.preventDefault();
      var first = list.querySelector('a');
      if (first) location.href = first.href;
    });
    apply();
  }

  function filter(form) {
    var rows = all('table.claims tbody tr');
    var texts = rows.map(function (row) { return row.textContent.toLowerCase(); });
    function apply() {
      var words = form.elements.text.value.toLowerCase().split(/\s+/);
      var verdict = form.elements.verdict.value, shown = 0;
      rows.forEach(function (row, i) {
        var ok = words.every(function (w) { return texts[i].indexOf(w) >= 0; }) &&
          (verdict === '' || (verdict === '!' ? 'odd' in row.dataset : row.dataset.verdict === verdict));
        row.hidden = !ok;
        if (ok) shown++;
      });
      form.querySelector('output').textContent = shown + ' of ' + rows.length;
    }
    form.hidden = false;
    form.addEventListener('input', apply);
    form.addEventListener('submit', function (e) { e.preventDefault(); });
    apply();
  }

  // A click on the head of a column sorts by it, a second one the other way; what has no number comes last.
  function sortable(table) {
    var body = table.tBodies[0], rows = all('tr', body);
    all('thead th', table).forEach(function (head, k) {
      var button = document.createElement('button');
      while (head.firstChild) button.appendChild(head.firstChild);
      button.type = 'button';
      head.appendChild(button);
      button.addEventListener('click', function () {
        var down = head.getAttribute('aria-sort') === 'ascending', numeric = head.classList.contains('n');
        all('thead th', table).forEach(function (h) { h.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        var keys = new Map(rows.map(function (row) {
          var cell = row.cells[k], text = cell ? cell.textContent : '';
          if (!numeric) return [row, text];
          var x = parseFloat(cell && cell.dataset.x !== undefined ? cell.dataset.x : text);
          return [row, x === x ? x : null];
        }));
        rows.slice().sort(function (a, b) {
          var x = keys.get(a), y = keys.get(b);
          if (x === null || y === null) return (x === null) - (y === null);
          var less = numeric ? x - y : x.localeCompare(y, 'en', {numeric: true});
          return down ? -less : less;
        }).forEach(function (row) { body.appendChild(row); });
      });
    });
  }

  all('form.find').forEach(function (form) { find(form, index); });
  all('form.filter').forEach(filter);
  all('table.sortable').forEach(sortable);
})();

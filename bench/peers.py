"""The same work with numpy, scipy and scikit-learn, as their users would write it.

    python3 peers.py NAME [NUMBER ...]

prepares a workload, says "ready", and for every line of standard input works for a while and answers with the CPU
seconds it took and the units of work it did. It uses one thread; bench sets the environment for that.
"""

import os
import sys
import time

import numpy as np

rng = np.random.default_rng(1)


def labelled(n, d):
    x = rng.standard_normal((n, d))
    return x, np.where(x @ rng.standard_normal(d) + rng.standard_normal(n) > 0, 1.0, -1.0)


def slope(margins, y):
    """Derivative of log(1 + exp(-y m)) by the margin m."""
    return -y / (1 + np.exp(y * margins))


def saga_epochs(x, y, epochs=5):
    from sklearn.linear_model._sag import sag_solver

    squares = float((x.multiply(x).sum(1) if hasattr(x, "multiply") else (x * x).sum(1)).max())
    start = [np.zeros((x.shape[1], 1))]

    def turn():
        sag_solver(x, y, None, "log", 1.0, 0.0, epochs, 0.0, 0, 0, False, squares, {"coef": start[0]}, True)
        return epochs

    import warnings

    warnings.simplefilter("ignore")
    return turn


def saga(n, d):
    return saga_epochs(*labelled(n, d))


def saga_sparse():
    from sklearn.datasets import load_svmlight_file

    x, y = load_svmlight_file(rows_file())
    return saga_epochs(x, y)


def libsvm():
    from sklearn.datasets import load_svmlight_file

    def turn():
        load_svmlight_file(rows_file())
        return 1

    return turn


def rows_file():
    return os.path.join(os.environ["BENCH_FILES"], "rows.libsvm")


def sledge(n, d, b, scalars=False):
    """A step of SLEDGE, Option II, for logistic loss with ridge 1/n. With scalars, the table keeps a number for each
    row and the state of the common shift in which it was written. A step returns its point."""
    a, y = labelled(n, d)
    ridge, eta = 1 / n, 1e-3
    x = np.zeros(d)
    shift = np.zeros(d)
    if scalars:
        table = slope(a @ x, y)
        stamp = np.zeros(n, dtype=np.int64)
        history = np.zeros((8 * n // b + 64, d))  # a ring: far longer than a row stays unsampled, but for a few
        v = table @ a / n + ridge * x
    else:
        table = slope(a @ x, y)[:, None] * a + ridge * x
        v = table.mean(0)
    clock = 0

    def step():
        nonlocal x, v, shift, clock
        before = x
        x = x - eta * v
        batch = rng.choice(n, b, replace=False)
        rows, labels = a[batch], y[batch]
        now = slope(rows @ x, labels)
        past = slope(rows @ before, labels)
        increment = (now - past) @ rows / b + ridge * (x - before)
        if scalars:
            clock = (clock + 1) % len(history)
            stored = table[batch] @ rows + b * shift - history[stamp[batch]].sum(0)
            v = v + (now @ rows + b * ridge * x - stored) / n + (1 - b / n) * increment
            shift = shift + increment
            table[batch] = now
            history[clock] = shift - ridge * x
            stamp[batch] = clock
        else:
            fresh = now[:, None] * rows + ridge * x
            v = v + ((fresh - table[batch]).sum(0) - b * shift) / n + (1 - b / n) * increment
            shift = shift + increment
            table[batch] = fresh - shift
        return x

    return step


def fledge(clients, chosen, each, d, steps, b):
    """A round of FLEDGE, Option II, for logistic loss with ridge 1/n."""
    a, y = labelled(clients * each, d)
    a, y = a.reshape(clients, each, d), y.reshape(clients, each)
    ridge, eta = 1 / (clients * each), 1e-3

    def mean(i, batch, x):
        rows = a[i, batch]
        return slope(rows @ x, y[i, batch]) @ rows / len(batch) + ridge * x

    x = np.zeros(d)
    table = np.array([mean(i, np.arange(each), x) for i in range(clients)])
    v, shift = table.mean(0), np.zeros(d)

    def round():
        nonlocal x, v, shift
        start, i, z = x, rng.integers(clients), np.zeros(d)
        for k in range(steps):
            before = x
            x = x - eta * (v + z)
            if k + 1 < steps:
                batch = rng.choice(each, b, replace=False)
                z = z + mean(i, batch, x) - mean(i, batch, before)
        sampled = rng.choice(clients, chosen, replace=False)
        refreshed, increment = np.zeros(d), np.zeros(d)
        fresh = np.empty((chosen, d))
        for k, i in enumerate(sampled):
            batch = rng.choice(each, steps * b, replace=False)
            fresh[k] = mean(i, batch, x)
            increment += fresh[k] - mean(i, batch, start)
            refreshed += fresh[k] - table[i]
        increment /= chosen
        v = v + (refreshed - chosen * shift) / clients + (1 - chosen / clients) * increment
        shift = shift + increment
        table[sampled] = fresh - shift

    return repeated(round, 5)


def sums(n, size, d):
    """Norm of the sum of a subset that is drawn without replacement."""
    a = rng.standard_normal((n, d))
    return repeated(lambda: np.linalg.norm(a[rng.choice(n, size, replace=False)].sum(0)), 200)


def hypergeometric(population, marked, sample, x):
    from scipy.stats import hypergeom

    return repeated(lambda: hypergeom.logsf(x - 1, population, marked, sample), 20)


class Network:
    """A softplus network with one hidden layer, in double precision, and rows for it to classify."""

    def __init__(self, rows, inputs, hidden, classes):
        self.data = rng.random((rows, inputs)) * (rng.random((rows, inputs)) < 0.3)
        self.label = rng.integers(classes, size=rows)
        self.start = [rng.standard_normal((inputs, hidden)) * 0.05, np.zeros(hidden)]
        self.start += [rng.standard_normal((hidden, classes)) * 0.05, np.zeros(classes)]

    def layers(self, rows, w1, b1, w2, b2):
        """Values of the hidden layer, and derivatives of the mean cross entropy by the outputs of both layers."""
        z = self.data[rows] @ w1 + b1
        e = np.exp(-np.abs(z))
        h = np.maximum(z, 0) + np.log1p(e)
        s = h @ w2 + b2
        s -= s.max(1, keepdims=True)
        p = np.exp(s)
        p /= p.sum(1, keepdims=True)
        p[np.arange(len(p)), self.label[rows]] -= 1
        p /= len(p)
        return h, p, (p @ w2.T) * np.where(z >= 0, 1, e) / (1 + e)

    def gradient(self, rows, w1, b1, w2, b2):
        h, p, back = self.layers(rows, w1, b1, w2, b2)
        return self.data[rows].T @ back + 0.01 * w1, back.sum(0), h.T @ p + 0.01 * w2, p.sum(0)

    def difference(self, rows, x, y):
        """Difference of the gradients at two points, with one product of matrices for both where the data come in."""
        h, p, back = self.layers(rows, *x)
        g, q, past = self.layers(rows, *y)
        back -= past
        w1, w2 = self.data[rows].T @ back, h.T @ p - g.T @ q
        return w1 + 0.01 * (x[0] - y[0]), back.sum(0), w2 + 0.01 * (x[2] - y[2]), p.sum(0) - q.sum(0)


def network(batch, inputs, hidden, classes):
    net = Network(batch, inputs, hidden, classes)
    return repeated(lambda: net.gradient(slice(None), *net.start), 5)


def network_step(batch, inputs, hidden, classes, joint=False):
    """A step of SARAH, whose minibatch is one of two groups of rows."""
    net = Network(2 * batch, inputs, hidden, classes)
    x, eta = net.start, 1e-3
    v = net.gradient(slice(None), *x)

    def step():
        nonlocal x, v
        before = x
        x = [w - eta * g for w, g in zip(x, v)]
        first = batch * rng.integers(2)
        rows = slice(first, first + batch)
        if joint:
            v = [g + h for g, h in zip(v, net.difference(rows, x, before))]
        else:
            both = zip(v, net.gradient(rows, *x), net.gradient(rows, *before))
            v = [g + now - past for g, now, past in both]

    return repeated(step, 5)


def repeated(work, times):
    def turn():
        for _ in range(times):
            work()
        return times

    return turn


WORK = {
    "saga": saga,
    "saga-sparse": saga_sparse,
    "libsvm": libsvm,
    "sledge": lambda n, d, b: repeated(sledge(n, d, b), 50),
    "sledge-scalars": lambda n, d, b: repeated(sledge(n, d, b, True), 50),
    "fledge": fledge,
    "sums": sums,
    "hypergeometric": hypergeometric,
    "network": network,
    "network-step": network_step,
    "network-step-joint": lambda *sizes: network_step(*sizes, joint=True),
}


def main(name, *numbers):
    if name == "versions":
        import scipy
        import sklearn

        print("numpy %s, scipy %s, scikit-learn %s" % (np.__version__, scipy.__version__, sklearn.__version__))
        return
    turn = WORK[name](*map(int, numbers))
    turn()
    print("ready", flush=True)
    for line in sys.stdin:
        least, units, start = float(line), 0, time.process_time()
        while True:
            units += turn()
            spent = time.process_time() - start
            if spent >= least:
                break
        print(spent, units, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

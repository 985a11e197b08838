#!/usr/bin/env python3
"""A second, independent checker for the proofs that FORMAT.md describes.

    second_checker.py FILE...            check certificates
    second_checker.py --self-test [FILE] check a table of good and bad pairs (examples.txt)
    second_checker.py --answers FILE     say of each pair `holds`, or why not

A certificate is a text with pairs of a question and a proof: a line `question` begins one, a line `proof` its proof, a
line `end` ends it. Other lines are ignored. The question is trusted, the proof is not. Nothing here is recursive.
"""
import heapq
import itertools
import math
import re
import sys
from fractions import Fraction

QUANTIFIERS = ("forall", "exists")
NUMBERS = ("int", "real", "bits")
MOST_TERMS = 4000  # in a step `equal`
MOST_PRODUCTS = 2000  # in a step `poly`
SIGNATURES = {  # the sorts of the whole and of the arguments
    "true": ["Bool"], "false": ["Bool"], "int": ["Int"], "real": ["Real"], "not": ["Bool", "Bool"],
    "/": ["Real"] * 3, "div": ["Int"] * 3, "mod": ["Int"] * 3, "to_real": ["Real", "Int"], "to_int": ["Int", "Real"],
}
BINARY = ["bv" + name for name in "and or xor nand nor xnor add sub mul udiv urem sdiv srem shl lshr ashr".split()]
COMPARISONS = ("bvult", "bvule", "bvslt", "bvsle")
WIRES = ("bvnot", "bvneg", "concat", "extract", "zero_extend", "sign_extend")
BITS = {  # how many numbers, and how many words
    "bit": (1, 1), "carry": (1, 2), "borrow": (1, 2), "agree": (1, 2), "product": (2, 2), "product-carry": (2, 2),
    "abs": (1, 1), "rest": (2, 2), "rest-borrow": (2, 2), "abs-rest": (2, 2), "abs-rest-borrow": (2, 2), "shifted": (2, 1),
}
WIDEST = 65536  # bits
TRUE = 1  # The literal that is true. Literals are numbers of atoms, counted from 1, or their negatives.
getattr(sys, "set_int_max_str_digits", int)(0)  # Numbers may have any number of digits.


class Wrong(Exception):
    """A question or a proof is refused."""
    where = None  # the part, 0 or 1, and the line in it


class Contradiction(Exception):
    """What was assumed is refuted."""


def need(condition, why):
    if not condition:
        raise Wrong(why)


def natural(word):
    need(re.fullmatch("[0-9]+", word), "not a number: %r" % word[:40])
    return int(word)


def rational(word):
    match = re.fullmatch("(-?[0-9]+)(?:/([0-9]*[1-9][0-9]*))?", word)
    need(match, "not a number: %r" % word[:40])
    return Fraction(int(match[1]), int(match[2] or 1))


def sort_is_proper(word):
    """Words without brackets and commas are sorts, and so are `[D1,D2]R`, with one index or more."""
    depth, expected = 0, True
    for token in re.findall(r"[\[\],]|[^\[\],]+", word):
        if (token in ",]") == expected or (token != "[" and token in ",]" and depth == 0):
            return False
        depth += (token == "[") - (token == "]")
        expected = token in "[],"
    return depth == 0 and not expected


def map_sort(word):
    """The sorts of the indices, and of the values, of a map sort, else None."""
    depth, start, domains = 0, 1, []
    for at in (match.start() for match in re.finditer(r"[\[\],]", word)):
        depth += (word[at] == "[") - (word[at] == "]")
        if (word[at] == "," and depth == 1) or depth == 0:
            domains.append(word[start:at])
            start = at + 1
        if depth == 0:
            return domains, word[start:]
    return None


def width_of(sort):
    """The width of words whose bits can be spoken about, else None."""
    match = re.fullmatch("Bits[.]([0-9]+)", sort)
    digits = match[1].lstrip("0") if match else ""
    return int(digits) if 0 < len(digits) < 9 and int(digits) <= WIDEST else None


def words_fit(sort, op, numbers, given, arg_op):
    """The same as `has_sorts` for operators on words."""
    widths, whole = [width_of(one) for one in given], width_of(sort)
    if not widths or None in widths:
        return False
    width, same = widths[0], len(set(given)) == 1
    if op in BINARY or op in ("bvnot", "bvneg"):
        return given == [sort] * (2 if op in BINARY else 1)
    if op in COMPARISONS:
        return sort == "Bool" and len(given) == 2 and same
    if op == "concat":
        return len(given) == 2 and whole == sum(widths)
    if op in WIRES:
        longer = width + numbers[0] if op != "extract" else numbers[0] - numbers[1] + 1
        fits = op != "extract" or numbers[1] <= numbers[0] < width
        return len(given) == 1 and fits and whole == longer
    *k, i = numbers
    fits = not k or k[0] <= width
    if op in ("carry", "borrow", "agree"):
        fits = i <= width
    elif op in ("rest-borrow", "abs-rest-borrow"):
        fits = k[0] < width and i <= width + 1
    else:
        fits = fits and i < width and (op != "product-carry" or k[0] >= 1)
        fits = fits and (op != "shifted" or arg_op in ("bvshl", "bvlshr", "bvashr"))
    return sort == "Bool" and same and len(given) == BITS[op][1] and fits


def has_sorts(sort, op, given):
    """Do the sorts of the arguments and of the whole fit the operator?"""
    if op in SIGNATURES:
        return [sort, *given] == SIGNATURES[op]
    if op in ("var", "opaque", "bits", "apply"):
        return op == "apply" or not given
    if op in ("and", "or", "+", "*"):
        is_logic = op in ("and", "or")
        return set(given) == {sort} and (sort == "Bool" if is_logic else sort in ("Int", "Real") and len(given) >= 2)
    if op in ("=", "<=", "<"):
        fits = sort == "Bool" and len(given) == 2 and len(set(given)) == 1
        return fits and (op == "=" or given[0] in ("Int", "Real"))
    if op == "ite":
        return given == ["Bool", sort, sort]
    if op in QUANTIFIERS:
        return sort == "Bool" and len(given) >= 2 and given[0] == "Bool"
    need(op in ("select", "store", "const"), "no operator: %r" % op[:40])
    parts = map_sort(sort if op == "const" else given[0] if given else "")
    if parts is None or op == "const":
        return parts is not None and given == [parts[1]]
    indices, value = parts
    return (given[1:], sort) == ((indices, value) if op == "select" else ([*indices, value], given[0]))


class Terms:
    """The terms, and the literals that they are."""

    def __init__(self):
        self.sort, self.op, self.args = [], [], []
        self.name = []  # the name of a function, or the value of a number
        self.stripped = []  # sign and term, without `not` around the term
        self.literals = {}  # of terms that are stripped
        self.atoms, self.atom_numbers = [None, ("true",)], {("true",): TRUE}
        self.quotients = {}  # the first `div` and `mod` of two terms
        self.written = {}  # the equations of numbers that an atom is, by their terms

    def add(self, line):
        """Reads a line with a term."""
        number, sort, op, *rest = line.split(" ") if line.count(" ") > 1 else [line, "", ""]
        me, name = len(self.sort), None
        need(natural(number) == me, "the next term has the number %d" % me)
        need(sort_is_proper(sort), "not a sort: %r" % sort[:40])
        if op in (*NUMBERS, "apply"):
            need(rest and rest[0], "a name, or a number, is missing")
            need(op == "apply" or ("/" in rest[0]) == (op == "real"), "not `int N`, `bits N`, nor `real N/D`")
            name = rest.pop(0) if op == "apply" else rational(rest.pop(0))
        if op == "bits":
            width = re.fullmatch(r"Bits\.([0-9]+)", sort)
            need(width and name >= 0 and int(name).bit_length() <= int(width[1]), "not a pattern of bits of this sort")
        if op in BITS or op in WIRES[3:]:
            count = BITS[op][0] if op in BITS else 2 if op == "extract" else 1
            name = tuple(natural(word) for word in rest[:count])
            need(len(name) == count and max(name) < 2 ** 32, "numbers of bits are missing, or too large")
            rest = rest[count:]
        args = [natural(word) for word in rest] if op != "var" else []  # The rest is a name, for people.
        need(all(arg < me for arg in args), "an argument is no earlier term")
        given = [self.sort[arg] for arg in args]
        is_word = op in BINARY or op in COMPARISONS or op in WIRES or op in BITS
        fits = words_fit(sort, op, name, given, self.op[args[0]] if args else "") if is_word else has_sorts(sort, op, given)
        need(fits, "wrong arguments or sorts of `%s`" % op)
        fits = op not in QUANTIFIERS or all(self.op[arg] in ("var", "opaque") for arg in args[1:])
        need(fits, "a bound term is no variable")
        for column, entry in ((self.sort, sort), (self.op, op), (self.args, args), (self.name, name)):
            column.append(entry)
        sign, term = self.stripped[args[0]] if op == "not" else (-1, me)
        self.stripped.append((-sign, term))
        if op in ("div", "mod"):
            self.quotients.setdefault((op, *args), me)
        elif op == "=" and self.sort[args[0]] in ("Int", "Real"):
            self.written.setdefault(abs(self.literal(me)), []).append(me)

    def factors(self, term):
        """The arguments of a product that are no numbers."""
        return [arg for arg in self.args[term] if self.op[arg] not in NUMBERS]

    def linear(self, pairs):
        """The sum of factors times terms, as factors of base terms and a constant."""
        heap, constant, base = sorted((-term, times) for times, term in pairs), Fraction(0), {}
        while heap:  # The largest first: nothing is left that could add to it.
            key, times = heapq.heappop(heap)
            while heap and heap[0][0] == key:
                times += heapq.heappop(heap)[1]
            term, op, parts = -key, self.op[-key], ()
            if op in NUMBERS:
                constant += times * self.name[term]
            elif op in ("+", "to_real"):
                parts = self.args[term]
            elif op == "*" and len(self.factors(term)) <= 1:
                parts = self.factors(term)
                times *= math.prod(self.name[arg] for arg in self.args[term] if self.op[arg] in NUMBERS)
                constant += 0 if parts else times
            elif times != 0:
                base[term] = Fraction(times)
            for part in parts:
                heapq.heappush(heap, (-part, times))
        return base, constant

    def normal(self, base, constant):
        """`base + constant` compared with 0 is `form` compared with `c`, with the sides changed or not."""
        items = sorted(base.items())
        below = math.lcm(*(factor.denominator for _, factor in items))
        above = math.gcd(*(int(factor * below) for _, factor in items))
        flipped = bool(items) and items[0][1] < 0
        scale = Fraction(below, above or 1) * (-1 if flipped else 1)
        return tuple((term, int(factor * scale)) for term, factor in items), -constant * scale, flipped

    def integral(self, form):
        return all(self.sort[term] == "Int" for term, _ in form)

    def atom(self, *key):
        if key not in self.atom_numbers:
            self.atom_numbers[key] = len(self.atoms)
            self.atoms.append(key)
        return self.atom_numbers[key]

    def bound(self, pairs, constant, strict):
        """The literal `sum of pairs + constant <= 0`, or `< 0`."""
        base, more = self.linear(pairs)
        return self.compared(base, constant + more, strict)

    def compared(self, base, constant, strict):
        if not base:
            return TRUE if constant < 0 or (constant == 0 and not strict) else -TRUE
        form, c, flipped = self.normal(base, constant)
        strict = strict != flipped
        if self.integral(form):
            c, strict = Fraction(math.ceil(c) - 1 if strict else math.floor(c)), False
        atom = self.atom("lt" if strict else "le", form, c)
        return -atom if flipped else atom

    def at_most(self, a, b, strict=False):
        return self.bound([(1, a), (-1, b)], 0, strict)

    def bounds(self, form, c):
        """The literals that an equation of numbers is the conjunction of."""
        less = ("le", form, c - 1) if self.integral(form) else ("lt", form, c)
        return self.atom("le", form, c), -self.atom(*less)

    def fact(self, literal):
        """A literal as `sign * form <= c`: sign, form, c, strict. An equation has the sign 0."""
        kind, *rest = self.atoms[abs(literal)]
        if literal > 0 and kind == "value":
            return (0, *rest, False)
        need(kind in ("le", "lt"), "neither a bound, nor an equation of numbers that is true")
        form, c = rest
        negated = (-(c + 1), False) if self.integral(form) else (-c, kind == "le")
        return (1, form, c, kind == "lt") if literal > 0 else (-1, form, *negated)

    def equal(self, a, b):
        """The literal of an equation of a sort that is not `Bool`."""
        if self.sort[a] not in ("Int", "Real"):
            return self.same(a, b)
        return self.zero([(1, a), (-1, b)])

    def same(self, a, b):
        return TRUE if a == b else self.atom("eq", min(a, b), max(a, b))

    def width(self, term):
        return width_of(self.sort[term])

    def bit(self, term, i):
        """The literal of a bit of a word, past all that only moves bits."""
        sign = 1
        while True:
            op, args, name = self.op[term], self.args[term], self.name[term]
            if op == "bits":
                return sign if int(name) >> i & 1 else -sign
            if op == "bvnot":
                sign, term = -sign, args[0]
            elif op == "extract":
                term, i = args[0], i + name[1]
            elif op in ("concat", "zero_extend") and i < self.width(args[-1]):
                term = args[-1]
            elif op == "concat":
                term, i = args[0], i - self.width(args[1])
            elif op == "zero_extend":
                return -sign
            elif op == "sign_extend":
                term, i = args[0], min(i, self.width(args[0]) - 1)
            elif op == "bvmul":
                return sign * self.about("product", i + 1, i, *args)
            elif op == "bvudiv":
                return -sign * self.about("rest-borrow", i, self.width(term) + 1, *args)
            elif op == "bvurem":
                return sign * self.about("rest", 0, i, *args)
            elif op in ("bvshl", "bvlshr", "bvashr"):
                found = self.unshifted(self.width(term), i, term)
                if not isinstance(found, tuple):
                    return sign * found
                term, i = found
            else:
                return sign * self.atom("bits", "bit", 0, i, term, term)

    def moved(self, k, i, term):
        """Where a bit comes from if it is moved by 2^(k-1): a place, a bit of a word, or a literal."""
        by, width, op = 2 ** (k - 1) if k < 20 else WIDEST, self.width(term), self.op[term]
        source = i - by if op == "bvshl" else i + by
        if 0 <= source < width:
            return source
        return (self.args[term][0], width - 1) if op == "bvashr" else -TRUE

    def unshifted(self, k, i, term):
        """A bit of a word after k steps of a shift: a literal, or a bit of another word."""
        word, amount = self.args[term]
        while k and self.op[amount] == "bits":
            if int(self.name[amount]) >> (k - 1) & 1:
                source = self.moved(k, i, term)
                if isinstance(source, tuple) or source < 0:
                    return source
                i = source
            k -= 1
        return self.atom("bits", "shifted", k, i, term, term) if k else (word, i)

    def about(self, kind, k, i, a, b):
        """The literal of a truth value about words."""
        width = self.width(a)
        if kind in ("carry", "borrow", "rest-borrow", "abs-rest-borrow") and i == 0 or kind in ("borrow", "less") and a == b:
            return -TRUE
        if kind == "product":
            k = min(k, i + 1)
        if (kind == "product" and k == 0) or (kind == "product-carry" and (k <= 1 or i < k)):
            return -TRUE
        if kind in ("rest", "abs-rest") and k == width:
            return -TRUE
        if kind == "agree":
            return TRUE if i == 0 or a == b else self.same(a, b) if i == width else self.atom("bits", kind, k, i, *sorted((a, b)))
        if kind == "bit" or (kind == "abs" and i == 0):
            return self.bit(a, i)
        if kind == "carry":
            a, b = sorted((a, b))
        if kind == "shifted":
            found = self.unshifted(k, i, a)
            return self.bit(*found) if isinstance(found, tuple) else found
        return self.atom("bits", kind, k, i, a, b)

    def compare(self, op, a, b):
        if op in ("bvule", "bvsle"):
            return -self.compare("bvult" if op == "bvule" else "bvslt", b, a)
        return self.about("borrow", 0, self.width(a), a, b) if op == "bvult" else self.about("less", 0, 0, a, b)

    def gate(self, kind, k, i, a, b):
        """What a truth value about words depends on, as literals, and its value by theirs; None if nothing is known."""
        about, bit, top = self.about, self.bit, self.width(a) - 1
        majority, parity = lambda x, y, z: x + y + z >= 2, lambda x, y, z: (x + y + z) % 2
        same, same_row = lambda i: about(kind, k, i, a, b), lambda k: about(kind, k, i, a, b)
        if kind in ("carry", "borrow"):
            return [bit(a, i - 1) * (1 if kind == "carry" else -1), bit(b, i - 1), same(i - 1)], majority
        if kind == "less":
            return [bit(a, top), -bit(b, top), about("borrow", 0, top, a, b)], majority
        if kind == "agree":
            return [bit(a, i - 1), bit(b, i - 1), same(i - 1)], lambda x, y, before: x == y and before
        if kind == "product":
            parts = [same_row(k - 1), bit(a, i + 1 - k), bit(b, k - 1), about("product-carry", k, i, a, b)]
            return parts, lambda p, x, y, c: parity(p, x and y, c)
        if kind == "product-carry":
            parts = [about("product", k - 1, i - 1, a, b), bit(a, i - k), bit(b, k - 1), same(i - 1)]
            return parts, lambda p, x, y, c: majority(p, x and y, c)
        if kind == "abs":
            return [bit(a, i), bit(a, top), bit(a, i - 1), same(i - 1)], lambda x, s, y, r: x != (s and (y or r))
        if "rest" in kind:
            prefix = kind[:4] if kind.startswith("abs") else ""
            operand = lambda i, of: about("abs" if prefix else "bit", 0, i, of, of)
            step = lambda i: about(prefix + "rest", k + 1, i - 1, a, b) if i else operand(k, a)
            below = lambda i: about(prefix + "rest-borrow", k, i, a, b)
            if kind.endswith("rest"):
                parts = [below(top + 2), step(i), operand(i, b), below(i)]
                return parts, lambda less, x, y, c: x if less else parity(x, y, c)
            if i == top + 2:
                return [step(top + 1), below(top + 1)], lambda x, c: not x and c
            return [-step(i - 1), operand(i - 1, b), below(i - 1)], majority
        if kind == "shifted":
            source = self.moved(k, i, a)
            if isinstance(source, tuple):
                source = bit(*source)
            elif source >= 0:
                source = about(kind, k - 1, source, a, a)
            return [bit(self.args[a][1], k - 1), source, same_row(k - 1)], lambda c, x, y: x if c else y
        return self.operator(a, i)

    def operator(self, term, i):
        """The same for a bit of a term."""
        op, args, bit, before = self.op[term], self.args[term], self.bit, []
        logic = {"bvand": lambda x, y: x and y, "bvor": lambda x, y: x or y, "bvxor": lambda x, y: x != y}
        opposites = {"bvnand": "bvand", "bvnor": "bvor", "bvxnor": "bvxor"}
        if op in logic:
            return [bit(arg, i) for arg in args], logic[op]
        if op in opposites:
            return [bit(arg, i) for arg in args], lambda x, y: not logic[opposites[op]](x, y)
        if op in ("bvadd", "bvsub"):
            carry = self.about("carry" if op == "bvadd" else "borrow", 0, i, *args)
            return [*(bit(arg, i) for arg in args), carry], lambda x, y, c: (x + y + c) % 2
        if op == "ite":
            return [self.literal(args[0]), *(bit(arg, i) for arg in args[1:])], lambda c, x, y: x if c else y
        if op not in ("bvneg", "bvsdiv", "bvsrem"):
            return None
        top = self.width(term) - 1
        signs = {"bvneg": [TRUE], "bvsdiv": [bit(arg, top) for arg in args], "bvsrem": [bit(args[0], top)]}[op]
        positive = {
            "bvneg": lambda i: bit(args[0], i), "bvsdiv": lambda i: -self.about("abs-rest-borrow", i, top + 2, *args),
            "bvsrem": lambda i: self.about("abs-rest", 0, i, *args),
        }[op]
        if i:
            before = [positive(i - 1), bit(term, i - 1)]
        count = len(before)
        return [*before, positive(i), *signs], lambda *v: v[count] != (sum(v[count + 1:]) % 2 == 1 and any(v[:count]))

    def zero(self, pairs):
        """The literal that a sum is zero."""
        form, c, _ = self.normal(*self.linear(pairs))
        if not form or (self.integral(form) and c.denominator != 1):
            return TRUE if not form and c == 0 else -TRUE
        return self.atom("value", form, c)

    def literal(self, term):
        """The literal that says that a term is true."""
        sign, term = self.stripped[term]
        if term not in self.literals:
            op, args = self.op[term], self.args[term]
            if op in ("true", "false"):
                literal = TRUE if op == "true" else -TRUE
            elif op in ("<=", "<"):
                literal = self.at_most(*args, op == "<")
            elif op == "=" and self.sort[args[0]] != "Bool":
                literal = self.equal(*args)
            elif op in BITS:
                *k, i = self.name[term]
                literal = self.about(op, k[0] if k else 0, i, args[0], args[-1])
            elif op in COMPARISONS:
                literal = self.compare(op, *args)
            else:
                literal = self.atom("term", term)
            self.literals[term] = literal
        return sign * self.literals[term]

    def read_literal(self, word):
        """The term of a literal, and the literal."""
        need(word[:1] in ("+", "-"), "not a literal: %r" % word[:40])
        term = natural(word[1:])
        need(term < len(self.sort) and self.sort[term] == "Bool", "no `Bool` term: %s" % word[:40])
        return term, self.literal(term) * (1 if word[0] == "+" else -1)


class Propagation:
    """The step `prop`: what follows from literals by looking at one known term at a time."""

    def __init__(self, terms, literals):
        self.terms, self.true, self.queue, self.defined = terms, {TRUE}, [], set()
        self.watched = {}  # by literal, the clauses that lose a literal when it gets true
        for literal in literals:
            self.assume(literal)
        self.add_facts(literals)
        while self.queue:
            literal = self.queue.pop()
            for state in self.watched.pop(literal, ()):
                state[0] -= 1
                if state[0] == 1:
                    self.clause(*state[1])  # All but one are false, and that one may be, too.
            self.define(literal)
            kind, *rest = terms.atoms[abs(literal)]
            if kind == "term":
                self.look_at(*rest, literal > 0)
            elif kind == "bits":
                self.gate(abs(literal), terms.gate(*rest))
            elif kind == "eq" and terms.width(rest[0]):
                self.gate(abs(literal), terms.gate("agree", 0, terms.width(rest[0]), *rest))

    def gate(self, atom, gate):
        """A truth value about words is known: all clauses of its table."""
        if gate:
            parts, value = gate
            for part in parts:
                self.define(part)
            atoms = sorted({abs(part) for part in parts} - {TRUE})
            rows = set()
            for signs in itertools.product((1, -1), repeat=len(atoms)):
                true = {TRUE, *(one * sign for one, sign in zip(atoms, signs))}
                rows.add((1 if value(*(part in true for part in parts)) else -1, *signs))
            for signs in itertools.product((1, -1, 0), repeat=len(atoms) + 1):
                if all(any(a == b for a, b in zip(row, signs)) for row in rows):
                    self.clause(*(one * sign for one, sign in zip((atom, *atoms), signs) if sign))

    def assume(self, literal):
        if -literal in self.true:
            raise Contradiction
        if literal not in self.true:
            self.true.add(literal)
            self.queue.append(literal)

    def clause(self, *literals):
        """Adds a disjunction. A literal that is in it twice is not known before it is false twice."""
        left = [literal for literal in literals if -literal not in self.true]
        if not left:
            raise Contradiction
        if not self.true.isdisjoint(left):
            return
        if len(left) == 1:
            self.assume(*left)
        state = [len(left), left]
        for literal in left if len(left) > 1 else ():
            self.watched.setdefault(-literal, []).append(state)

    def look_at(self, term, value):
        """A term that is no bound has got a value."""
        terms, op, args, sign = self.terms, self.terms.op[term], self.terms.args[term], 1 if value else -1
        if op not in ("and", "or", "ite", "=") or terms.sort[args[-1]] != "Bool":
            return
        parts = [terms.literal(arg) for arg in args]
        if op == "ite":
            condition, a, b = parts
            for clause in {-condition, a * sign}, {condition, b * sign}, {a * sign, b * sign}:
                self.clause(*clause)
        elif op == "=":
            a, b = parts
            for clause in {-a, b * sign}, {a, -b * sign}:
                self.clause(*clause)
        else:
            literals = {part * sign for part in parts}
            for clause in zip(literals) if value == (op == "and") else [literals]:
                self.clause(*clause)
        for part in parts:
            self.define(part)

    def define(self, literal):
        """What a literal is, if it is an equation of numbers."""
        atom = abs(literal)
        kind, *rest = self.terms.atoms[atom]
        if atom not in self.defined and kind == "value":
            self.defined.add(atom)
            at_most, at_least = self.terms.bounds(*rest)
            self.clause(-atom, at_most)
            self.clause(-atom, at_least)
            self.clause(atom, -at_most, -at_least)

    def add_facts(self, literals):
        """The facts about the base terms in literals, and about the sides of equations."""
        terms, base, forms = self.terms, set(), set()
        for atom in map(abs, literals):
            kind, *rest = terms.atoms[atom]
            if kind in ("le", "lt", "value"):
                forms.add(rest[0])
            elif kind == "eq":
                base.update(rest)
        base.update(term for form in forms for term, _ in form)
        for term in sorted(base):
            op, args = terms.op[term], terms.args[term]
            if op == "ite":
                condition = terms.literal(args[0])
                self.define(condition)
                for guard, branch in ((-condition, args[1]), (condition, args[2])):
                    literal = terms.equal(term, branch)
                    self.define(literal)
                    self.clause(*{guard, literal})
            elif op == "*" and len(args) == len(terms.factors(term)) == 2:
                for strict, x, y in itertools.product((False, True), (1, -1), (1, -1)):
                    signs = [terms.bound([(-sign, one)], 0, strict) for sign, one in ((x, args[0]), (y, args[1]), (x * y, term))]
                    self.clause(*{-signs[0], -signs[1], signs[2]})
            elif op == "to_int":
                self.assume(terms.at_most(term, args[0]))
                self.assume(terms.bound([(1, args[0]), (-1, term)], -1, True))
            elif op in ("div", "mod") and terms.op[args[1]] == "int" and terms.name[args[1]] != 0:
                self.divide(*args, terms.quotients.get(("div", *args)), terms.quotients.get(("mod", *args)))

    def divide(self, a, b, quotient, rest):
        """`0 <= rest < |b|`, and `a = b * quotient + rest`, for a number b and the terms that there are."""
        if rest is None:
            return
        by, bound = self.terms.name[b], self.terms.bound
        self.assume(bound([(-1, rest)], 0, False))
        self.assume(bound([(1, rest)], -abs(by), True))
        if quotient is not None:
            self.assume(self.terms.zero([(1, a), (-by, quotient), (-1, rest)]))


class Classes:
    """The step `equal`: classes of equal terms."""

    def __init__(self, terms, roots):
        self.terms, self.parent, self.is_new = terms, {}, False
        seen, stack = set(roots), list(roots)
        while stack:
            term = stack.pop()
            inner = set(terms.args[term] if terms.op[term] not in QUANTIFIERS else ()) - seen
            seen |= inner
            stack.extend(inner)
        need(len(seen) <= MOST_TERMS, "too many terms")
        self.used = sorted(seen)

    def find(self, term):
        while self.parent.setdefault(term, term) != term:
            self.parent[term] = term = self.parent.setdefault(self.parent[term], self.parent[term])
        return term

    def key(self, *terms):
        return tuple(map(self.find, terms))

    def merge(self, a, b):
        a, b = self.key(a, b)
        if a != b:
            self.parent[a], self.is_new = b, True

    def run(self, different):
        """Merges, in rounds over all terms, until nothing is new. Some pairs are known to be different."""
        self.is_new = True
        while self.is_new:
            self.is_new = False
            pairs, numbers = {frozenset(self.key(*pair)) for pair in different}, {}
            for term in self.used:
                if self.terms.op[term] in NUMBERS:
                    value = self.terms.name[term]
                    if numbers.setdefault(self.find(term), value) != value:
                        raise Contradiction
            if any(len(pair) == 1 for pair in pairs):
                raise Contradiction
            self.round(pairs, numbers)

    def round(self, different, numbers):
        terms, table, maps, reads = self.terms, {}, {}, {}
        for term in self.used:
            op, args = terms.op[term], terms.args[term]
            if op not in ("var", "opaque", *QUANTIFIERS):
                key = op, terms.name[term], terms.sort[term], self.key(*args), tuple(terms.sort[arg] for arg in args)
                self.merge(term, table.setdefault(key, term))
            if op in ("store", "const"):
                maps.setdefault(self.find(term), []).append(term)
            elif op == "select":
                reads.setdefault(self.key(*args), term)
        for term in (term for term in self.used if terms.op[term] == "select"):
            first, *indices = self.key(*terms.args[term])
            seen, stack = {first}, [first]
            while stack:
                one = stack.pop()
                self.merge(term, reads.get((one, *indices), term))
                for other in maps.get(one, ()):
                    before, *places = terms.args[other]
                    value = places.pop() if places else before
                    pairs = [set(self.key(*pair)) for pair in zip(indices, places)]
                    if all(len(pair) == 1 for pair in pairs):  # There are none for `const`.
                        self.merge(term, value)
                    elif any(pair in different or len({numbers.get(a) for a in pair} - {None}) == 2 for pair in pairs):
                        before = self.find(before)
                        if before not in seen:
                            seen.add(before)
                            stack.append(before)


class Proof:
    """The clauses of a proof, so far, without literals that are false."""

    def __init__(self, terms, assertions):
        self.terms, self.assertions, self.clauses = terms, assertions, []
        self.question, self.witnesses = None, set()

    def step(self, line):
        """Checks a step and adds its clause."""
        word, *words = line.split(" ")
        if word == "assert":
            need(len(words) == 1, "`assert` needs the number of an assertion")
            number = natural(words[0])
            need(number < len(self.assertions), "no such assertion")
            clause = {self.terms.literal(self.assertions[number])}
        elif word == "poly":
            need(len(words) == 1, "`poly` needs the number of an equation")
            term = self.terms.read_literal("+" + words[0])[0]
            self.same_polynomial(term)
            clause = {self.terms.literal(term)}
        elif word in ("inst", "skolem", "ext"):
            clause = self.instance(word, words)
        else:
            need(word in ("prop", "rup", "farkas", "dioph", "equal"), "no step: %r" % word[:40])
            need((":" in words) == (word != "equal"), "`:` is missing, or too much")
            at = words.index(":") if ":" in words else len(words)
            clause = {self.terms.read_literal(one)[1] for one in words[:at]}
            try:
                if TRUE in clause or any(-literal in clause for literal in clause):
                    raise Contradiction
                getattr(self, word)(clause, words[at + 1:])
                raise Wrong("`%s` finds no contradiction" % word)
            except Contradiction:
                pass
        self.clauses.append(frozenset(clause) - {-TRUE})

    def same_polynomial(self, equation):
        """Do both sides of an equation of numbers become the same sum of products?"""
        terms = self.terms
        need(terms.op[equation] == "=", "no equation")
        left, right = terms.args[equation]
        need(terms.sort[left] in ("Int", "Real"), "no equation of numbers")
        counts, rest = {(left,): 1, (right,): -1} if left != right else {(left,): 0}, {}
        for _ in range(MOST_PRODUCTS):
            if not counts:
                need(not any(rest.values()), "different polynomials")
                return
            product = max(counts)
            factor = counts.pop(product)
            at = next((at for at, term in enumerate(product) if terms.op[term] in ("+", "*", "to_real", *NUMBERS)), None)
            if at is None:
                rest[product] = rest.get(product, 0) + factor
                continue
            term = product[at]
            args, op = terms.args[term], terms.op[term]
            factor = factor * terms.name[term] if op in NUMBERS else factor
            for some in [[arg] for arg in args] if op == "+" else [args]:
                new = tuple(sorted(product[:at] + tuple(some) + product[at + 1:], reverse=True))
                counts[new] = counts.get(new, 0) + factor
        raise Wrong("too many products")

    def instance(self, word, words):
        """The clause of a step that is about terms for variables."""
        need(words[2:3] == [":"], "two terms, and `:`")
        first, second = (self.terms.read_literal("+" + one)[0] for one in words[:2])
        given = [natural(one) for one in words[3:]]
        need(all(term < len(self.terms.sort) for term in given), "no earlier term")
        if word == "ext":
            self.differ(first, second, given)
        else:
            self.substitute(first, second, given)
        if word != "inst":
            for term in given:
                is_new = term > first and term >= self.question and term not in self.witnesses
                need(is_new and self.terms.op[term] in ("var", "opaque"), "term %d is no new variable" % term)
                self.witnesses.add(term)
        sign = 1 if word != "ext" and (self.terms.op[first] == "forall") == (word == "inst") else -1
        return {-sign * self.terms.literal(first), sign * self.terms.literal(second)}

    def differ(self, maps, elements, indices):
        terms = self.terms
        need(terms.op[maps] == terms.op[elements] == "=", "no equations")
        for map_, element in zip(terms.args[maps], terms.args[elements]):
            need(terms.op[element] == "select" and terms.args[element] == [map_, *indices], "no elements of the maps")

    def substitute(self, whole, instance, given):
        """Is a term the body of another one, with these terms for its variables?"""
        terms = self.terms
        need(terms.op[whole] in QUANTIFIERS, "no quantifier")
        body, *bound = terms.args[whole]
        need(len(set(bound)) == len(bound) == len(given), "not one term for each variable")
        need(all(terms.sort[a] == terms.sort[b] for a, b in zip(bound, given)), "a term of another sort")
        becomes, stack, inner = dict(zip(bound, given)), [(body, instance)], set()
        while stack:
            a, b = stack.pop()
            if a in becomes:
                need(becomes[a] == b, "term %d does not become %d" % (a, b))
                continue
            becomes[a] = b
            same = all(column[a] == column[b] for column in (terms.op, terms.name, terms.sort))
            same = same and len(terms.args[a]) == len(terms.args[b]) and (terms.args[a] or a == b)
            need(same, "term %d does not become %d" % (a, b))
            if terms.op[a] in QUANTIFIERS:
                need(not set(bound) & set(terms.args[a][1:]), "a variable is bound twice")
                inner |= set(terms.args[a][1:])
            stack.extend(zip(terms.args[a], terms.args[b]))
        seen, stack = set(given), list(given)
        while stack:
            more = set(terms.args[stack.pop()]) - seen
            seen |= more
            stack.extend(more)
        need(not seen & inner, "a variable would be bound")

    # Each step raises `Contradiction` if it finds that the literals of the clause are not all false.
    def named_clauses(self, words):
        numbers = [natural(word) for word in words]
        need(all(number < len(self.clauses) for number in numbers), "no earlier clause")
        return [self.clauses[number] for number in numbers]

    def equal(self, clause, _):
        terms, equal, different, roots = self.terms, [], [], set()
        known = Propagation(terms, [-literal for literal in sorted(clause)]).true
        for literal in known:
            kind, *rest = terms.atoms[abs(literal)]
            pairs = [rest] if kind == "eq" else []
            if kind == "value":
                pairs = [terms.args[term] for term in terms.written.get(abs(literal), [])]
            elif kind == "term":
                roots.update(rest)
            elif kind in ("le", "lt"):
                roots.update(term for term, _ in rest[0])
            (equal if literal > 0 else different).extend(pairs)
        classes = Classes(terms, roots.union(*equal, *different))
        truths = {True: [], False: []}
        for term in classes.used:
            if terms.sort[term] == "Bool":
                for value, literal in (True, terms.literal(term)), (False, -terms.literal(term)):
                    truths[value] += [term] if literal in known else []
        equal += [pair for same in truths.values() for pair in zip(same, same[1:])]
        different += zip(*truths.values())
        sums = {}
        for term in classes.used:
            if terms.sort[term] in ("Int", "Real"):
                base, constant = terms.linear([(1, term)])
                key = terms.sort[term], tuple(sorted(base.items())), constant
                equal.append((sums.setdefault(key, term), term))
        for pair in equal:
            classes.merge(*pair)
        classes.run(different)
        bounds = {}
        for literal in known:
            kind, *rest = terms.atoms[abs(literal)]
            if kind in ("le", "lt"):
                base = {}
                for term, factor in rest[0]:
                    base[classes.find(term)] = base.get(classes.find(term), 0) + Fraction(factor)
                base = {term: factor for term, factor in base.items() if factor}
                same = terms.compared(base, -rest[1], kind == "lt") * (1 if literal > 0 else -1)
                if bounds.setdefault(abs(same), same) != same or same == -TRUE:
                    raise Contradiction

    def prop(self, clause, words):
        others = self.named_clauses(words)
        need(all(len(other) <= 1 for other in others), "a clause with several literals")
        Propagation(self.terms, [-one for one in sorted(clause)] + [one for other in others for one in other or [-TRUE]])

    def rup(self, clause, words):
        true, others = {TRUE} | {-literal for literal in clause}, self.named_clauses(words)
        for word, other in zip(words, others):
            if true.isdisjoint(other):
                left = [literal for literal in other if -literal not in true]
                if not left:
                    raise Contradiction
                need(len(left) == 1, "clause %s has %d open literals" % (word, len(left)))
                true.add(left[0])

    def rows(self, clause, words, size):
        """What the literals say that are negations of some in the clause, with a number after `size` of them."""
        need(len(words) % (size + 1) == 0, "a number is missing")
        for at in range(0, len(words), size + 1):
            row = [self.terms.read_literal(word)[1] for word in words[at:at + size]]
            need(all(-one in clause for one in row), "no negation of a literal of the clause")
            yield (*map(self.terms.fact, row), rational(words[at + size]))

    def farkas(self, clause, words):
        total, constant, any_strict = {}, 0, False
        for (sign, form, c, strict), times in self.rows(clause, words, 1):
            need(sign == 0 or times > 0, "the multiplier of a bound must be positive")
            for term, factor in form:
                total[term] = total.get(term, 0) + factor * times * (sign or 1)
            constant += times * c
            any_strict = any_strict or strict
        need(not any(total.values()), "the sum has a term that is left")
        if constant < 0 or (constant == 0 and any_strict):
            raise Contradiction

    def dioph(self, clause, words):
        total, constant = {}, Fraction(0)
        for one, two, times in self.rows(clause, words, 2):
            (above, form, c, strict), (below, other, d, is_strict) = one, two
            need(above >= 0 and below <= 0 and not (strict or is_strict), "no bound from above and one from below")
            need((form, c) == (other, -d if below else d), "not two sides of one equation")
            for term, factor in form:
                total[term] = total.get(term, 0) + factor * times
            constant += times * c
        need(self.terms.integral(total.items()), "a term of the sum is no integer")
        need(all(factor.denominator == 1 for factor in total.values()), "a factor of the sum is no integer")
        if constant.denominator != 1:
            raise Contradiction


def check(question_lines, proof_lines):
    """Raises `Wrong` unless the proof shows that the assertions of the question cannot all be true."""
    terms, assertions = Terms(), []
    proof = Proof(terms, assertions)
    numbered = [(0, *pair) for pair in enumerate(question_lines)] + [(1, *pair) for pair in enumerate(proof_lines)]
    for part, number, line in numbered:
        try:
            if part == 1 and proof.question is None:
                proof.question = len(terms.sort)
            if line[:1] in ("", "#"):
                continue
            if line[0] in "0123456789":
                terms.add(line)
            elif part == 1:
                proof.step(line)
            else:
                need(line.startswith("assert "), "neither a term nor an assertion")
                assertions.append(terms.read_literal("+" + line[len("assert "):])[0])
        except Wrong as wrong:
            wrong.where = part, number
            raise
    need(proof.clauses and not proof.clauses[-1], "the last clause is not empty")


def pairs_of(path):
    """The pairs of a certificate: a line, the line before the pair, and why it is wrong, or None."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        lines = file.read().split("\n")
    marks = [at for at, line in enumerate(lines) if line in ("question", "proof", "end")]
    for index, number in enumerate(marks):
        if lines[number] != "question":
            continue
        three, note, wrong = marks[index:index + 3], lines[number - 1] if number else "", None
        try:
            need([lines[at] for at in three] == ["question", "proof", "end"], "a pair without `proof` and `end`")
            begin, middle, number = three
            check(lines[begin + 1:middle], lines[middle + 1:number])
        except Wrong as found:
            wrong = found
            if wrong.where:
                number = three[wrong.where[0]] + 1 + wrong.where[1]
        yield number + 1, note, wrong


def main(words):
    if words[:1] == ["--answers"]:
        for _, _, wrong in pairs_of(words[1]):
            print("no: %s" % wrong if wrong else "holds")
        return 0
    is_test, fine = words[:1] == ["--self-test"], True
    if is_test:
        words = words[1:] or [re.sub("[^/]*$", "examples.txt", __file__, count=1)]
    for path in words:
        results = list(pairs_of(path))
        wanted = [not is_test or bool(re.match("# good(:|$)", note)) for _, note, _ in results]
        failed = [result for result, good in zip(results, wanted) if good != (result[2] is None)]
        says = "proofs are as expected, %d are good" % sum(wanted) if is_test else "proofs hold"
        print("%s: %d of %d %s" % (path, len(results) - len(failed), len(results), says))
        for number, note, wrong in failed:
            print("%s:%d: %s%s" % (path, number, note + ": " if is_test else "", wrong or "it holds"))
        fine = fine and bool(results) and not failed
    print("" if words else __doc__, end="")
    return 0 if words and fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

// What mutants.py writes into the source instead of an operator or a term: the original, and the mutant if its number is switched on.
//
// Hundreds of mutants share one build this way, and the environment variable TREEWRIGHT_MUTANT picks one of them (Untch, Offutt & Harrold
// 1993: "Mutation analysis using mutant schemata"). With TREEWRIGHT_REACHED, the name of a file, no mutant is on, and the file tells which
// mutants were executed: a test that never executes a mutant cannot kill it.
//
// An operator `a < b` becomes `a < Turn<7, Lt, Le>{} > b`: two operators of the same precedence, so neither operand has to be parsed.

#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>

namespace mutant {

inline constexpr int kMost = 1 << 16;

inline unsigned char* map_reached() {
  const char* path = std::getenv("TREEWRIGHT_REACHED");
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR | O_CREAT, 0644);
  if (file < 0 || ftruncate(file, kMost) != 0) std::abort();
  return static_cast<unsigned char*>(mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
}

inline unsigned char* const reached = map_reached();
inline const int active = reached != nullptr                            ? -1
                          : std::getenv("TREEWRIGHT_MUTANT") != nullptr ? std::atoi(std::getenv("TREEWRIGHT_MUTANT"))
                                                                        : 0;

[[gnu::noinline]] inline bool note(int number) {
  reached[number] = 1;
  return false;
}

inline bool on(int number) {
  return __builtin_expect(active == number || (active < 0 && note(number)), 0);
}

struct Lt {
  template <class A, class B>
  static bool of(const A& a, const B& b) {
    return a < b;
  }
};
struct Le {
  template <class A, class B>
  static bool of(const A& a, const B& b) {
    return a <= b;
  }
};
struct Gt {
  template <class A, class B>
  static bool of(const A& a, const B& b) {
    return a > b;
  }
};
struct Ge {
  template <class A, class B>
  static bool of(const A& a, const B& b) {
    return a >= b;
  }
};
struct Eq {
  template <class A, class B>
  static bool of(const A& a, const B& b) {
    return a == b;
  }
};
struct Ne {
  template <class A, class B>
  static bool of(const A& a, const B& b) {
    return a != b;
  }
};

template <int number, class Was, class Is>
struct Turn {};
template <class A, int number, class Was, class Is>
struct Turned {
  const A& a;
};

template <class A, int number, class Was, class Is>
Turned<A, number, Was, Is> operator<(const A& a, Turn<number, Was, Is>) {
  return {a};
}
template <class A, class B, int number, class Was, class Is>
bool operator>(Turned<A, number, Was, Is> left, const B& b) {
  return on(number) ? Is::of(left.a, b) : Was::of(left.a, b);
}
template <class A, int number, class Was, class Is>
Turned<A, number, Was, Is> operator==(const A& a, Turn<number, Was, Is>) {
  return {a};
}
template <class A, class B, int number, class Was, class Is>
bool operator==(Turned<A, number, Was, Is> left, const B& b) {
  return on(number) ? Is::of(left.a, b) : Was::of(left.a, b);
}

template <int number, bool sum>
struct Sign {};
template <class A, int number, bool sum>
struct Signed {
  const A& a;
};
template <class A, int number, bool sum>
Signed<A, number, sum> operator+(const A& a, Sign<number, sum>) {
  return {a};
}
template <class A, class B, int number, bool sum>
auto operator+(Signed<A, number, sum> left, const B& b) {
  if constexpr (sum) {
    using Type = decltype(left.a + b);
    return on(number) ? static_cast<Type>(left.a - b) : left.a + b;
  } else {
    using Type = decltype(left.a - b);
    return on(number) ? static_cast<Type>(left.a + b) : left.a - b;
  }
}

template <int number, class T>
requires std::is_arithmetic_v<T> T drop(T term) {
  return on(number) ? T{} : term;
}

template <int number, bool least>
struct Extreme {
  template <class T>
  static T of(const T& a, const T& b) {
    return on(number) != least ? std::min(a, b) : std::max(a, b);
  }
  template <class T>
  static T of(std::initializer_list<T> all) {
    return on(number) != least ? std::min(all) : std::max(all);
  }
};

}  // namespace mutant

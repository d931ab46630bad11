// A model as text: LP for people and solvers, free MPS for solvers.
//
// Readers differ:
// - CBC reads free MPS only if the NAME line ends in FREE; HiGHS wants the integer markers in quotes.
// - An LP row must have at least one term, so an empty row is written with a zero.
// - LP readers differ on constants in the objective, and MPS readers on their sign. So a fixed variable carries the constant.
// - An integer variable of MPS has upper bound 1 or infinity, depending on the reader. So both bounds are always written.
// - The square brackets of an LP file end in "/ 2" in the objective, but must not do so in a row.
// - MPS readers differ on quadratic rows. So these are written to LP files only.

#include "treewright/mip/write.h"

#include <fmt/format.h>

#include <cmath>

#include "treewright/base/file.h"
#include "treewright/base/stop_point.h"
#include "treewright/error.h"

namespace treewright::mip {

namespace {

constexpr double kInfinity = MipModel::kInfinity;

// The model whose offset is a variable.
MipModel with_constant(const MipModel& model) {
  MipModel copy = model;
  if (model.offset != 0) copy.add("constant", 1, 1, model.offset);
  copy.offset = 0;
  return copy;
}

// Lines of at most about 100 characters: readers limit them to 255 or 510.
class Wrapped {
 public:
  explicit Wrapped(std::string& out) : out_(out), start_(out.size()) {}
  void operator()(const std::string& word) {
    if (out_.size() - start_ + word.size() > 100) {
      out_ += "\n  ";
      start_ = out_.size();
    }
    out_ += " " + word;
  }

 private:
  std::string& out_;
  std::size_t start_;
};

std::string signed_term(double coefficient, const std::string& name) {
  const double size = std::abs(coefficient);
  return fmt::format("{} {}{}", coefficient < 0 ? "-" : "+", size == 1 ? "" : fmt::format("{} ", size), name);
}

// `square`: what an entry of the diagonal stands for in the brackets, as a share of its coefficient.
void put_brackets(const MipModel& model, std::span<const MipModel::QuadraticTerm> terms, double square, Wrapped& put) {
  put("+ [");
  for (const MipModel::QuadraticTerm& q : terms) {
    const std::string &a = model.variables[q.a].name, &b = model.variables[q.b].name;
    put(q.a == q.b ? signed_term(square * q.coefficient, a + " ^2") : signed_term(2 * square * q.coefficient, a + " * " + b));
  }
}

}  // namespace

std::string to_lp(const MipModel& original) {
  const MipModel model = with_constant(original);
  std::string out = fmt::format("\\ {}\nMinimize\n objective:", model.name);
  {
    Wrapped put(out);
    bool any = false;
    for (const MipModel::Variable& v : model.variables) {
      if (v.cost == 0) continue;
      put(signed_term(v.cost, v.name));
      any = true;
    }
    if (!any && !model.variables.empty()) put("0 " + model.variables.front().name);
    if (!model.quadratic.empty()) {
      put_brackets(model, model.quadratic, 1, put);
      put("] / 2");
    }
  }
  out += "\nSubject To\n";
  const auto row_line = [&](const MipModel::Row& row, const std::string& name, const char* sense, double right) {
    stop_point();
    out += fmt::format(" {}:", name);
    Wrapped put(out);
    for (const MipModel::Term& term : row.terms) put(signed_term(term.coefficient, model.variables[term.variable].name));
    if (row.terms.empty()) put("0 " + model.variables.front().name);
    if (!row.quadratic.empty()) {
      put_brackets(model, row.quadratic, 0.5, put);
      put("]");
    }
    put(fmt::format("{} {}", sense, right));
    out += "\n";
  };
  for (const MipModel::Row& row : model.rows) {
    if (row.lower == row.upper) {
      row_line(row, row.name, "=", row.lower);
    } else {
      const bool both = row.lower > -kInfinity && row.upper < kInfinity;
      if (row.upper < kInfinity) row_line(row, row.name, "<=", row.upper);
      if (row.lower > -kInfinity) row_line(row, both ? row.name + "_low" : row.name, ">=", row.lower);
    }
  }
  out += "Bounds\n";
  const auto bound = [](double value) { return value == kInfinity ? "+inf" : value == -kInfinity ? "-inf" : fmt::format("{}", value); };
  for (const MipModel::Variable& v : model.variables) {
    if (v.integer && v.lower == 0 && v.upper == 1) continue;
    out += v.lower == -kInfinity && v.upper == kInfinity ? fmt::format(" {} free\n", v.name)
                                                         : fmt::format(" {} <= {} <= {}\n", bound(v.lower), v.name, bound(v.upper));
  }
  for (const bool binary : {true, false}) {
    std::string section;
    Wrapped put(section);
    for (const MipModel::Variable& v : model.variables) {
      if (v.integer && (v.lower == 0 && v.upper == 1) == binary) put(v.name);
    }
    if (!section.empty()) out += fmt::format("{}\n {}\n", binary ? "Binary" : "General", section);
  }
  return out + "End\n";
}

namespace {

void put_columns(const MipModel& model, std::string& out) {
  std::vector<std::vector<std::pair<std::size_t, double>>> column(model.variables.size());
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    stop_point();
    for (const MipModel::Term& term : model.rows[r].terms) column[term.variable].emplace_back(r, term.coefficient);
  }
  out += "COLUMNS\n";
  bool integer = false;
  int markers = 0;
  const auto mark = [&](bool wanted) {
    if (integer == wanted) return;
    integer = wanted;
    out += fmt::format(" marker{} 'MARKER' '{}'\n", markers++, wanted ? "INTORG" : "INTEND");
  };
  for (std::size_t i = 0; i < model.variables.size(); ++i) {
    stop_point();
    const MipModel::Variable& v = model.variables[i];
    mark(v.integer);
    // A variable in no row must be named all the same.
    if (v.cost != 0 || column[i].empty()) out += fmt::format(" {} objective {}\n", v.name, v.cost);
    for (const auto& [r, coefficient] : column[i]) out += fmt::format(" {} {} {}\n", v.name, model.rows[r].name, coefficient);
  }
  mark(false);
}

void put_right_sides(const MipModel& model, std::string& out) {
  out += "RHS\n";
  std::string ranges;
  for (const MipModel::Row& row : model.rows) {
    const double right = row.upper < kInfinity ? row.upper : row.lower;
    if (right != 0 && right > -kInfinity) out += fmt::format(" rhs {} {}\n", row.name, right);
    if (row.lower > -kInfinity && row.upper < kInfinity && row.lower != row.upper) {
      ranges += fmt::format(" range {} {}\n", row.name, row.upper - row.lower);
    }
  }
  if (!ranges.empty()) out += "RANGES\n" + ranges;
}

void put_bounds(const MipModel& model, std::string& out) {
  out += "BOUNDS\n";
  for (const MipModel::Variable& v : model.variables) {
    if (v.lower == -kInfinity && v.upper == kInfinity) {
      out += fmt::format(" FR bound {}\n", v.name);
    } else if (v.lower == v.upper) {
      out += fmt::format(" FX bound {} {}\n", v.name, v.lower);
    } else {
      out += v.lower == -kInfinity ? fmt::format(" MI bound {}\n", v.name) : fmt::format(" LO bound {} {}\n", v.name, v.lower);
      if (v.upper < kInfinity) {
        out += fmt::format(" UP bound {} {}\n", v.name, v.upper);
      } else if (v.integer) {
        out += fmt::format(" PL bound {}\n", v.name);
      }
    }
  }
}

}  // namespace

std::string to_mps(const MipModel& original) {
  if (original.has_quadratic_rows())
    throw Error("model '" + original.name + "'", "has quadratic rows, which MPS files cannot hold here",
                "write it as an LP file: a name that ends in .lp, {lp} in a command");
  const MipModel model = with_constant(original);
  std::string out = fmt::format("NAME {} FREE\nROWS\n N objective\n", model.name);
  for (const MipModel::Row& row : model.rows) {
    out += fmt::format(" {} {}\n",
                       row.lower == row.upper   ? 'E'
                       : row.upper < kInfinity  ? 'L'
                       : row.lower > -kInfinity ? 'G'
                                                : 'N',
                       row.name);
  }
  put_columns(model, out);
  put_right_sides(model, out);
  put_bounds(model, out);
  if (!model.quadratic.empty()) {
    out += "QUADOBJ\n";
    for (const MipModel::QuadraticTerm& q : model.quadratic) {
      out += fmt::format(" {} {} {}\n", model.variables[q.b].name, model.variables[q.a].name, q.coefficient);
    }
  }
  return out + "ENDATA\n";
}

void write_model(const MipModel& model, const std::string& path) {
  if (!path.empty()) write_file(path, path.ends_with(".mps") ? to_mps(model) : to_lp(model));
}

}  // namespace treewright::mip

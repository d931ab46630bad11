// The validation curve as a picture.
//
// Alphas that matter crowd near zero: the axis is log(1 + alpha / a), where a is the smallest alpha at which anything changes. The last
// step of a setting has no end and runs to the edge.

#include "treewright/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/explain/markup.h"

namespace treewright {

namespace {

constexpr double kWidth = 760, kHeight = 420, kLeft = 70, kRight = 20, kTop = 20, kBottom = 60;
constexpr const char* kColors[] = {"#1f5fa8", "#c8501e", "#3a8a3a", "#7a4a9e", "#8a6d1f", "#1f8a8a", "#a81f5f", "#555555"};

class Frame {
 public:
  explicit Frame(std::span<const CurveStep> curve) {
    for (const CurveStep& step : curve) {
      if (step.alpha_low > 0) least_ = std::min(least_, step.alpha_low), most_ = std::max(most_, 2 * step.alpha_low);
      low_ = std::min(low_, step.score), high_ = std::max(high_, step.score);
    }
    if (!(most_ > 0)) least_ = most_ = 1;
    const double margin = std::max(0.05 * (high_ - low_), 1e-3);
    low_ -= margin, high_ += margin;
  }

  double x(double alpha) const {
    const double share = std::isfinite(alpha) ? std::min(1.0, scaled(alpha) / scaled(most_)) : 1.0;
    return kLeft + share * (kWidth - kLeft - kRight);
  }
  double y(double score) const { return kHeight - kBottom - (score - low_) / (high_ - low_) * (kHeight - kTop - kBottom); }

  std::string axes(Scoring scoring) const {
    std::string out = fmt::format(
        "<path d=\"M{0},{1} V{2} H{3}\" fill=\"none\" stroke=\"#333\"/>\n"
        "<text x=\"{4}\" y=\"{5}\" text-anchor=\"middle\">alpha</text>\n"
        "<text x=\"16\" y=\"{6}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {6})\">mean {7} on the validation rows</text>\n",
        kLeft, kTop, kHeight - kBottom, kWidth - kRight, (kLeft + kWidth - kRight) / 2, kHeight - 24, (kTop + kHeight - kBottom) / 2,
        name_of(scoring));
    for (int i = 0; i <= 4; ++i) {
      const double score = low_ + (high_ - low_) * i / 4, share = scaled(most_) * i / 4;
      const double alpha = least_ * std::expm1(share);
      out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3f}</text>\n", kLeft - 6, y(score) + 4,
                         shown_score(scoring, score));
      out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.3g}</text>\n", x(alpha), kHeight - kBottom + 18, alpha);
    }
    return out;
  }

 private:
  double scaled(double alpha) const { return std::log1p(alpha / least_); }

  double least_ = std::numeric_limits<double>::infinity(), most_ = 0;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

std::string to_svg(std::span<const CurveStep> curve, const Choice& choice, std::span<const std::string> settings, Scoring scoring) {
  const Frame frame(curve);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" font-family=\"Helvetica, "
      "sans-serif\" "
      "font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  const CurveStep& step = choice.step;
  out += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"#f2e6b8\"/>\n", frame.x(step.alpha_low), kTop,
                     std::max(1.0, frame.x(step.alpha_high) - frame.x(step.alpha_low)), kHeight - kTop - kBottom);
  out += frame.axes(scoring);
  for (std::size_t setting = 0; setting < settings.size(); ++setting) {
    const char* color = kColors[setting % std::size(kColors)];
    std::string path;
    for (const CurveStep& piece : curve) {
      if (piece.setting != static_cast<std::int64_t>(setting)) continue;
      path += fmt::format("{}{:.1f},{:.1f} H{:.1f} ", path.empty() ? "M" : "L", frame.x(piece.alpha_low), frame.y(piece.score),
                          frame.x(piece.alpha_high));
    }
    out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path, color);
    if (settings[setting].empty()) continue;
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{}\">{}</text>\n", kWidth - kRight - 6,
                       kTop + 16 + 15 * static_cast<double>(setting), color, explain::escaped(settings[setting]));
  }
  out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#111\"><title>alpha {:.6g}, mean {} {:.6g}</title></circle>\n",
                     frame.x(choice.alpha), frame.y(step.score), choice.alpha, name_of(scoring), shown_score(scoring, step.score));
  return out + "</svg>\n";
}

}  // namespace treewright

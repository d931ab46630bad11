#pragma once

namespace treewright::proof {

/// What rows with some events gain in a leaf: see event_gain.cpp. Exposures and events are in any units; sums are exact.
class EventGain {
 public:
  /// With the sums of all rows. Expects `all_exposure` > 0 where there are events.
  EventGain(double all_exposure, double all_events) : all_exposure_(all_exposure), all_events_(all_events) {}

  /// In truth within `off` of `gain`.
  struct Enclosed {
    double gain = 0, off = 0;
  };
  Enclosed of(double exposure, double events) const;

 private:
  double all_exposure_, all_events_;
};

/// The natural logarithm of a number above 0 that is no denormal one, off by less than 1.13 * 2^-50 of itself.
double logarithm(double number);

}  // namespace treewright::proof

// Loaded with --import into a node whose machine clock should be wrong by FAULTS_CLOCK_OFFSET_MS.
const offsetMs = Number(process.env['FAULTS_CLOCK_OFFSET_MS'] ?? 0)
const RealDate = Date

class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    // Only a date without arguments reads the clock.
    super(...((args.length === 0 ? [RealDate.now() + offsetMs] : args) as [number]))
  }

  static override now(): number {
    return RealDate.now() + offsetMs
  }
}

Object.assign(globalThis, { Date: ShiftedDate })

/** The clock of a place: an IANA zone, or the rules of a VTIMEZONE. */
export type Zone = {
  name: string
  /** The UTC offset at an instant, both in milliseconds. */
  offsetAt(instant: number): number
}

/** Which meetings of a calendar are joined. Every rule that is set must allow a meeting. */
export type AttendanceRules = {
  /** Only meetings that the person of the calendar organises. */
  onlyOrganised: boolean
  /** Only meetings to which this email address is invited; null for all. */
  onlyInvited: string | null
  /** Only meetings whose title has one of these texts; empty for all. */
  onlyTitles: string[]
  /** No meeting whose title has one of these texts. */
  neverTitles: string[]
  /** Only meetings that the person of the calendar accepted or organises. */
  onlyAccepted: boolean
}

export const NO_RULES: AttendanceRules = {
  onlyOrganised: false,
  onlyInvited: null,
  onlyTitles: [],
  neverTitles: [],
  onlyAccepted: false,
}

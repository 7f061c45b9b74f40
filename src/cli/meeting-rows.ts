export type ListedMeeting = {
  startsAt: string
  title: string
  willJoin: boolean
  reasonText: string
}

/** The time zone that this machine is set to, or that TZ names. */
export function findMachineTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A table of meetings, with their times on the clock of a zone. */
export function listMeetingRows(
  meetings: readonly ListedMeeting[],
  timeZone: string,
): { headings: string[]; rows: string[][] } {
  // Swedish dates are written as in ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return {
    headings: [`START (${timeZone})`, '', 'TITLE', 'REASON'],
    rows: meetings.map(({ startsAt, title, willJoin, reasonText }) => [
      format.format(new Date(startsAt)),
      willJoin ? 'join' : 'skip',
      title,
      reasonText,
    ]),
  }
}

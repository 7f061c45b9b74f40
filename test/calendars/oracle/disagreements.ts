export type Disagreement = {
  /** Matches the rules that are not compared, followed by the day of the month on which they start. */
  rule: RegExp
  /** What ical.js does, and what RFC 5545 says. */
  reason: string
  /** A rule with its first dates according to RFC 5545, at noon. */
  example: { rule: string; dates: readonly string[] }
}

/**
 * Rules for which the two engines differ. In each case, ical.js 2.2.1 deviates from section 3.3.10 of RFC 5545, and
 * Hansard follows it.
 */
export const DISAGREEMENTS: readonly Disagreement[] = [
  {
    rule: /FREQ=MONTHLY(?=.*INTERVAL=[2-9])(?=.*BYDAY=)(?=.*BYMONTH=)/,
    reason: 'ical.js ignores INTERVAL. It counts every month, also those that BYMONTH leaves out.',
    example: {
      rule: 'FREQ=MONTHLY;INTERVAL=3;BYDAY=3MO;BYMONTH=3,8',
      dates: ['2025-03-17', '2026-03-16', '2027-03-15'],
    },
  },
  {
    rule: /FREQ=MONTHLY(?=.*COUNT=)(?=.*BYDAY=)(?=.*BYMONTH=)/,
    reason: 'ical.js ends one too early. COUNT is the number of occurrences.',
    example: {
      rule: 'FREQ=MONTHLY;BYDAY=4TH;BYMONTH=3,9;COUNT=3',
      dates: ['2025-09-25', '2026-03-26', '2026-09-24'],
    },
  },
  {
    rule: /FREQ=DAILY.*BYMONTHDAY=[\d,]*-/,
    reason: 'ical.js ignores days that are counted from the end of the month.',
    example: {
      rule: 'FREQ=DAILY;BYMONTHDAY=3,-1',
      dates: ['2025-10-03', '2025-10-31', '2025-11-03', '2025-11-30'],
    },
  },
  {
    rule: /FREQ=YEARLY(?!.*BYMONTH=).*BYDAY=-?\d\d/,
    reason: 'ical.js reads numbers above 9 wrongly. 20MO is the 20th Monday of the year.',
    example: { rule: 'FREQ=YEARLY;BYDAY=20MO', dates: ['1997-05-19', '1998-05-18', '1999-05-17'] },
  },
  {
    rule: /FREQ=YEARLY.*BYMONTH=(?!.*BYDAY=).*(?:BYMONTHDAY=(?:[-\d,]*,)?(?:29|3\d)| (?:29|3\d)$)/,
    reason: 'ical.js moves 31 February to 3 March. Dates that do not exist are ignored.',
    example: {
      rule: 'FREQ=YEARLY;BYMONTH=2,3;BYMONTHDAY=31',
      dates: ['2025-03-31', '2026-03-31', '2027-03-31'],
    },
  },
  {
    rule: /FREQ=YEARLY.*BYMONTH=.*BYMONTHDAY=[\d,]*-/,
    reason: 'ical.js counts days from the end of another month after the first year.',
    example: {
      rule: 'FREQ=YEARLY;BYMONTH=2,4;BYMONTHDAY=-5',
      dates: ['2026-02-24', '2026-04-26', '2027-02-24', '2027-04-26'],
    },
  },
  {
    rule: /BYWEEKNO=/,
    reason: 'ical.js repeats every week. BYWEEKNO limits a yearly rule to the given weeks.',
    example: {
      rule: 'FREQ=YEARLY;BYWEEKNO=13;BYDAY=TU,SA',
      dates: ['2026-03-24', '2026-03-28', '2027-03-30', '2027-04-03'],
    },
  },
]

/** True if ical.js deviates from RFC 5545 for a series. */
export function isLeftOut(rule: string, start: number): boolean {
  const text = `${rule} ${new Date(start).getUTCDate()}`
  return DISAGREEMENTS.some((disagreement) => disagreement.rule.test(text))
}

/** A zone with a certain kind of clock change. ical.js needs its current rules in the feed. */
type ZoneRules = {
  name: string
  standard: string
  daylight: string
  /** The rules and local times for the begin and end of summer time. */
  begins: [rule: string, time: string]
  ends: [rule: string, time: string]
}

const RULES: readonly ZoneRules[] = [
  {
    name: 'Europe/Berlin',
    standard: '+0100',
    daylight: '+0200',
    begins: ['BYMONTH=3;BYDAY=-1SU', '20180325T020000'],
    ends: ['BYMONTH=10;BYDAY=-1SU', '20181028T030000'],
  },
  {
    name: 'America/New_York',
    standard: '-0500',
    daylight: '-0400',
    begins: ['BYMONTH=3;BYDAY=2SU', '20180311T020000'],
    ends: ['BYMONTH=11;BYDAY=1SU', '20181104T020000'],
  },
  {
    name: 'Australia/Sydney',
    standard: '+1000',
    daylight: '+1100',
    begins: ['BYMONTH=10;BYDAY=1SU', '20181007T020000'],
    ends: ['BYMONTH=4;BYDAY=1SU', '20180401T030000'],
  },
  {
    name: 'Australia/Lord_Howe',
    standard: '+1030',
    daylight: '+1100',
    begins: ['BYMONTH=10;BYDAY=1SU', '20181007T020000'],
    ends: ['BYMONTH=4;BYDAY=1SU', '20180401T020000'],
  },
  {
    name: 'America/St_Johns',
    standard: '-0330',
    daylight: '-0230',
    begins: ['BYMONTH=3;BYDAY=2SU', '20180311T020000'],
    ends: ['BYMONTH=11;BYDAY=1SU', '20181104T020000'],
  },
  {
    name: 'Pacific/Chatham',
    standard: '+1245',
    daylight: '+1345',
    begins: ['BYMONTH=9;BYDAY=-1SU', '20180930T024500'],
    ends: ['BYMONTH=4;BYDAY=1SU', '20180401T034500'],
  },
]
const FIXED: ReadonlyArray<[name: string, offset: string]> = [['Asia/Kolkata', '+0530']]

export const ORACLE_ZONES: readonly string[] = [
  ...RULES.map(({ name }) => name),
  ...FIXED.map(([name]) => name),
]

/** The VTIMEZONE of a zone as lines. */
export function formatVtimezone(zone: string): string[] {
  const rules = RULES.find(({ name }) => name === zone)
  const fixed = FIXED.find(([name]) => name === zone)
  const parts =
    rules === undefined
      ? formatPart('STANDARD', fixed?.[1] ?? '', fixed?.[1] ?? '', '20180101T000000', null)
      : [
          ...formatPart(
            'DAYLIGHT',
            rules.standard,
            rules.daylight,
            rules.begins[1],
            rules.begins[0],
          ),
          ...formatPart('STANDARD', rules.daylight, rules.standard, rules.ends[1], rules.ends[0]),
        ]
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...parts, 'END:VTIMEZONE']
}

function formatPart(
  name: string,
  from: string,
  to: string,
  start: string,
  rule: string | null,
): string[] {
  return [
    `BEGIN:${name}`,
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${to}`,
    `DTSTART:${start}`,
    ...(rule === null ? [] : [`RRULE:FREQ=YEARLY;${rule}`]),
    `END:${name}`,
  ]
}

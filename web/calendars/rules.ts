import type { ApiCalendarRules } from '../../src/http/shapes/calendars.ts'

/** Which invitations are joined. One choice instead of the API's two switches. */
export const INVITATION_CHOICES = {
  all: 'All meetings with a link, except those you declined',
  accepted: 'Only meetings you accepted or organise',
  organised: 'Only meetings you organise',
} as const
export type InvitationChoice = keyof typeof INVITATION_CHOICES

/** The rules in the form's fields. */
export type RuleFields = {
  invitations: InvitationChoice
  /** One text per line. */
  onlyTitles: string
  neverTitles: string
  onlyInvited: string
  neverPrivate: boolean
}

/** What the form begins with. */
export const NO_RULE_FIELDS: RuleFields = {
  invitations: 'all',
  onlyTitles: '',
  neverTitles: '',
  onlyInvited: '',
  neverPrivate: false,
}

export function toRuleFields(rules: ApiCalendarRules): RuleFields {
  const { onlyOrganised, onlyAccepted, onlyTitles, neverTitles, onlyInvited } = rules
  const limited = onlyOrganised ? 'organised' : 'accepted'
  return {
    invitations: onlyOrganised || onlyAccepted ? limited : 'all',
    onlyTitles: onlyTitles.join('\n'),
    neverTitles: neverTitles.join('\n'),
    onlyInvited: onlyInvited ?? '',
    neverPrivate: rules.neverPrivate,
  }
}

export function fromRuleFields(fields: RuleFields): ApiCalendarRules {
  return {
    onlyOrganised: fields.invitations === 'organised',
    onlyAccepted: fields.invitations === 'accepted',
    onlyTitles: readLines(fields.onlyTitles),
    neverTitles: readLines(fields.neverTitles),
    onlyInvited: fields.onlyInvited.trim() || null,
    neverPrivate: fields.neverPrivate,
  }
}

function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function describeRules(rules: ApiCalendarRules): string {
  const { invitations } = toRuleFields(rules)
  const { onlyTitles, neverTitles, onlyInvited, neverPrivate } = rules
  return [
    INVITATION_CHOICES[invitations],
    ...(onlyInvited === null ? [] : [`Only if ${onlyInvited} is invited`]),
    ...(onlyTitles.length === 0 ? [] : [`Only titles with ${quoteAny(onlyTitles)}`]),
    ...(neverPrivate ? ['No private meetings'] : []),
    ...(neverTitles.length === 0 ? [] : [`Never titles with ${quoteAny(neverTitles)}`]),
  ]
    .map((sentence) => `${sentence}.`)
    .join(' ')
}

function quoteAny(texts: readonly string[]): string {
  const quoted = texts.map((text) => `“${text}”`)
  const last = quoted.pop()
  return quoted.length === 0 ? (last ?? '') : `${quoted.join(', ')} or ${last}`
}

/** Names of well-known calendar services, by the end of their host names. */
const SERVICE_NAMES: ReadonlyArray<[hostEnd: string, name: string]> = [
  ['google.com', 'Google Calendar'],
  ['office365.com', 'Outlook'],
  ['office.com', 'Outlook'],
  ['live.com', 'Outlook'],
  ['icloud.com', 'iCloud'],
]

/** A default name for the calendar at this address. */
export function suggestCalendarName(url: string): string {
  const { hostname } = URL.canParse(url) ? new URL(url) : { hostname: '' }
  const known = SERVICE_NAMES.find(([end]) => hostname === end || hostname.endsWith(`.${end}`))
  return known?.[1] ?? (hostname || 'My calendar')
}

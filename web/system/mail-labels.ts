import type { ApiMailStatus } from '../../src/http/shapes/mail.ts'
import type { MailKind, MailReason, MailState } from '../../src/http/shapes/values.ts'

export const MAIL_KIND_LABELS: Record<MailKind, string> = {
  recap: 'Recap',
  guest_recap: 'Recap to a guest',
  digest: 'Digest',
  brief: 'Brief',
  invitation: 'Invitation',
  password_reset: 'Password reset',
  test: 'Test',
}

export const MAIL_STATE_LABELS: Record<MailState, { label: string; colour: string }> = {
  waiting: { label: 'Waiting', colour: 'blue' },
  sent: { label: 'Sent', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  dropped: { label: 'Not sent', colour: 'orange' },
}

export const MAIL_REASON_TEXTS: Record<MailReason, string> = {
  refused: 'The mail server refused it.',
  given_up: 'It could not be sent for a day.',
  content_gone: 'What it was about no longer exists, or the person may no longer read it.',
  no_access: 'The person may no longer read the meeting.',
  turned_off: 'The person turned this mail off.',
  project_off: 'The project sends no recaps any more.',
  link_ended: 'The link no longer works.',
  has_account: 'The address belongs to an account now.',
  too_late: 'The meeting had started.',
}

export const MAIL_TLS_TEXTS: Record<NonNullable<ApiMailStatus['tls']>, string> = {
  required: 'TLS with a valid certificate',
  opportunistic: 'TLS if the server offers it',
  off: 'none',
}

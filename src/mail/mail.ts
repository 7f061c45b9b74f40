import type { Db } from '../db/database.ts'

/**
 * What a mail is about. `recap`: of a meeting. `guest_recap`: the same for a person without an account, with a share
 * link. `digest`: of the recaps of a day or week. `brief`: before a meeting. `invitation`, `password_reset`: the link
 * that an administrator created. `test`: an administrator checks that mail arrives.
 */
export const MAIL_KINDS = [
  'recap',
  'guest_recap',
  'digest',
  'brief',
  'invitation',
  'password_reset',
  'test',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** Mail that a person waits for. It is sent first. */
export const URGENT_MAIL_KINDS: readonly MailKind[] = [
  'invitation',
  'password_reset',
  'test',
  'brief',
]

/**
 * `waiting`: to be sent, or sent again after a temporary failure. `sent`: the mail server accepted it. `failed`: the
 * mail server refused it, or it could not be sent for a day. `dropped`: it must not be sent any more.
 */
export const MAIL_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const
export type MailState = (typeof MAIL_STATES)[number]

/** Why a mail was not sent. The first two are failures; the others are reasons to drop it. */
export const MAIL_REASONS = [
  'refused',
  'given_up',
  'content_gone',
  'no_access',
  'turned_off',
  'project_off',
  'link_ended',
  'has_account',
  'too_late',
] as const
export type MailReason = (typeof MAIL_REASONS)[number]
export type DropReason = Exclude<MailReason, 'refused' | 'given_up'>

/** A name and an email address. */
export type Mailbox = { name: string; address: string }

/** A mail as it is sent. `html` and every header are safe, whatever people wrote. */
export type MailMessage = {
  to: Mailbox
  subject: string
  text: string
  html: string
  /** A link that turns off this kind of mail without a sign-in. Null for mail that a person has asked for. */
  unsubscribeUrl: string | null
}

/** A mail to make: who gets it, and what it is about. */
export type MailSource = {
  id: string
  kind: MailKind
  userId: string | null
  address: string | null
  meetingId: string | null
  /** The upcoming meeting of a brief. */
  upcomingId: string | null
  /** The secret part of a link. Null for mail without one. */
  code: string | null
  createdAt: Date
}

/**
 * Makes a mail when it is sent, from what the recipient may read at that moment. Returns a reason if it must not be
 * sent.
 */
export type MailComposer = (db: Db, source: MailSource) => Promise<MailMessage | DropReason>

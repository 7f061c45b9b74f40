import type { AreaContext } from '../db/context.ts'
import { startLeasedWork, type ClaimLoop } from '../db/nodes/claim-loop.ts'
import { createRowLeases } from '../db/nodes/leased-rows.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { onAbort } from '../lib/async/abort.ts'
import type { SecretBox } from '../lib/crypto.ts'
import type { Span, Tracer } from '../lib/tracer.ts'
import type { MailComposer, MailKind, MailMessage } from './mail.ts'
import { codeLabel } from './outbox/enqueue.ts'
import { claimDueMail, finishMail, postponeMail, type ClaimedMail } from './outbox/mail-claims.ts'
import { findNextAttempt, isTooOld } from './outbox/retry-policy.ts'
import { formatMessageId, type MailSender, type SmtpSettings } from './smtp.ts'

type Parts = AreaContext & {
  tracer: Tracer
  membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost' | 'hasFreshHeartbeat'>
  secretBox: SecretBox
  sender: MailSender
  from: SmtpSettings['from']
  composers: Readonly<Record<MailKind, MailComposer>>
  /** Stores mail that is due at this time of day. */
  enqueueScheduled(now: Date): Promise<void>
}

/** Also the time until another node's mail or a due retry is noticed. */
const POLL_INTERVAL_MS = 5_000
const MAX_CONCURRENT = 4
const UNEXPECTED_ERROR_TEXT = 'An unexpected error; see the log of the service'
/** How long a stop waits for a mail server that is accepting a mail, so that the mail is not sent again. */
const STOP_GRACE_MS = 2_000

/** Sends the stored mail in the background, each on one node. */
export function startMailRunner(parts: Parts): ClaimLoop {
  const { db, clock, log, membership } = parts
  const { nodeId } = membership
  return startLeasedWork<ClaimedMail>({
    what: 'mails',
    log,
    membership,
    pollMs: POLL_INTERVAL_MS,
    idOf: ({ id }) => id,
    ...createRowLeases(db, 'mail', nodeId),
    async claim(running, start) {
      await parts.enqueueScheduled(clock.now())
      for (let free = MAX_CONCURRENT - running.length; free > 0; free -= 1) {
        const claimed = await claimDueMail(db, nodeId, clock.now())
        if (claimed === null) return
        start(claimed)
      }
    },
    run(claimed, signal) {
      const { kind, traceParent: parent, attempts } = claimed
      const attributes = { 'hansard.mail.kind': kind, 'hansard.mail.attempts': attempts + 1 }
      return parts.tracer.run('send mail', { kind: 'consumer', parent, attributes }, (span) =>
        sendClaimed(parts, claimed, signal, span),
      )
    },
    postpone: (claimed) => retryOrGiveUp(parts, claimed, UNEXPECTED_ERROR_TEXT),
  })
}

async function sendClaimed(
  parts: Parts,
  claimed: ClaimedMail,
  signal: AbortSignal,
  span: Span,
): Promise<void> {
  const { db, clock } = parts
  if (isTooOld(claimed, clock.now())) return giveUp(parts, claimed, 'It has waited for a week')
  const composed = await compose(parts, claimed)
  signal.throwIfAborted()
  if (typeof composed === 'string') {
    span.set({ 'hansard.mail.dropped': composed })
    await finishMail(
      db,
      claimed,
      { state: 'dropped', reason: composed, response: null },
      clock.now(),
    )
    return
  }
  await sendComposed(parts, claimed, composed, signal, span)
}

function compose({ db, secretBox, composers }: Parts, claimed: ClaimedMail) {
  const { id, kind, userId, address, meetingId, upcomingId, createdAt, sealedCode } = claimed
  const code = sealedCode === null ? null : secretBox.open(sealedCode, codeLabel(kind))
  const about = { meetingId, upcomingId, createdAt, code }
  return composers[kind](db, { id, kind, userId, address, ...about })
}

async function sendComposed(
  parts: Parts,
  claimed: ClaimedMail,
  message: MailMessage,
  signal: AbortSignal,
  span: Span,
): Promise<void> {
  const { db, clock, log, sender, from } = parts
  using late = createLateSignal(signal, STOP_GRACE_MS)
  const { id, attempts } = claimed
  const { outcome, response } = await sender.send(message, formatMessageId(id, from), late.signal)
  const now = clock.now()
  if (outcome === 'sent') {
    await finishMail(db, claimed, { state: 'sent', reason: null, response }, now)
    return
  }
  // The response of the server can quote an address.
  span.fail(outcome)
  log.warn({ mailId: id, attempts: attempts + 1, response }, 'failed to send a mail')
  if (outcome === 'failed') return await retryOrGiveUp(parts, claimed, response)
  await finishMail(db, claimed, { state: 'failed', reason: 'refused', response }, now)
}

async function retryOrGiveUp(
  { db, clock }: Parts,
  claimed: ClaimedMail,
  response: string,
): Promise<void> {
  const now = clock.now()
  const dueAt = findNextAttempt(claimed, now)
  if (dueAt !== null) return postponeMail(db, claimed, { dueAt, response })
  await giveUp({ db, clock }, claimed, response)
}

async function giveUp(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  claimed: ClaimedMail,
  response: string,
): Promise<void> {
  const result = { state: 'failed', reason: 'given_up', response } as const
  await finishMail(db, claimed, result, clock.now())
}

/** A signal that aborts some time after another one. */
function createLateSignal(
  signal: AbortSignal,
  delayMs: number,
): Disposable & { signal: AbortSignal } {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const unsubscribe = onAbort(signal, () => {
    timer = setTimeout(() => late.abort(signal.reason), delayMs)
  })
  return {
    signal: late.signal,
    [Symbol.dispose]() {
      unsubscribe()
      clearTimeout(timer)
    },
  }
}

import type { MeetingEvent } from 'hansard/receiver'

/** Limits of Slack: https://docs.slack.dev/reference/block-kit/blocks/section-block and …/header-block */
const MAX_SECTION_LENGTH = 3_000
const MAX_HEADER_LENGTH = 150

/** A message for an incoming webhook. `text` is what notifications show. */
export type SlackMessage = {
  text: string
  blocks?: Array<
    | { type: 'header'; text: { type: 'plain_text'; text: string } }
    | { type: 'section'; text: { type: 'mrkdwn'; text: string } }
    | { type: 'context'; elements: Array<{ type: 'mrkdwn'; text: string }> }
  >
}

export type MessageOptions = {
  /** Whether every line of the transcript is posted, not only the recap. */
  withSegments: boolean
  /** The address of the console, for links to meetings; none without it. */
  consoleUrl: string | undefined
}

/** The message about an event; null when there is nothing to post. */
export function formatMessage(event: MeetingEvent, options: MessageOptions): SlackMessage | null {
  if (event.type === 'recap_ready') return formatRecap(event, options.consoleUrl)
  if (event.type === 'segment_finalized' && options.withSegments) {
    const { speaker, text } = event.payload
    return { text: escapeText(`${speaker}: ${text}`, MAX_SECTION_LENGTH) }
  }
  return null
}

function formatRecap(
  { meetingId, payload }: MeetingEvent<'recap_ready'>,
  consoleUrl: string | undefined,
): SlackMessage {
  const summary = payload.summary.join(' ')
  const counts = [
    `Decisions: ${payload.decisionCount}`,
    `Action items: ${payload.actionCount}`,
    `Open questions: ${payload.openQuestionCount}`,
  ]
  const link =
    consoleUrl === undefined
      ? []
      : [
          `<${new URL(`/meetings/${encodeURIComponent(meetingId)}`, consoleUrl).href}|Open the meeting>`,
        ]
  const title = payload.version === 1 ? 'Recap of a meeting' : 'Changed recap of a meeting'
  return {
    text: escapeText(`${title}: ${summary}`, MAX_SECTION_LENGTH),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title.slice(0, MAX_HEADER_LENGTH) } },
      ...(summary === ''
        ? []
        : [
            {
              type: 'section' as const,
              text: { type: 'mrkdwn' as const, text: escapeText(summary, MAX_SECTION_LENGTH) },
            },
          ]),
      { type: 'context', elements: [{ type: 'mrkdwn', text: [...counts, ...link].join(' · ') }] },
    ],
  }
}

/**
 * Speakers choose names and texts. Without this, a name such as `<!channel>` would notify everyone. The text is cut before
 * a character that does not fit, never inside an escaped one.
 */
function escapeText(text: string, maxLength: number): string {
  const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  let result = ''
  for (const character of text) {
    const next = escaped[character] ?? character
    if (result.length + next.length > maxLength - 1) return `${result}…`
    result += next
  }
  return result
}

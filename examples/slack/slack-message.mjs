/** Limits of Slack: https://docs.slack.dev/reference/block-kit/blocks/section-block and …/header-block */
const MAX_SECTION_LENGTH = 3_000
const MAX_HEADER_LENGTH = 150

/** @typedef {import('hansard/receiver').MeetingEvent} MeetingEvent */
/** @typedef {{ type: 'mrkdwn', text: string }} Markdown */
/**
 * A message for an incoming webhook. `text` is what notifications show.
 * @typedef {{
 *   text: string,
 *   blocks?: Array<
 *     | { type: 'header', text: { type: 'plain_text', text: string } }
 *     | { type: 'section', text: Markdown }
 *     | { type: 'context', elements: Markdown[] }
 *   >,
 * }} SlackMessage
 */
/**
 * `withSegments` posts every line of the transcript, not only the recap. `consoleUrl` is the console's address for
 * links to meetings. Without it, there are no links.
 * @typedef {{ withSegments: boolean, consoleUrl: string | undefined }} MessageOptions
 */

/**
 * The message about an event; null if there is nothing to post.
 * @param {MeetingEvent} event
 * @param {MessageOptions} options
 * @returns {SlackMessage | null}
 */
export function formatMessage(event, options) {
  if (event.type === 'recap_ready') return formatRecap(event, options.consoleUrl)
  if (event.type === 'segment_finalized' && options.withSegments) {
    const { speaker, text } = event.payload
    return { text: escapeText(`${speaker}: ${text}`, MAX_SECTION_LENGTH) }
  }
  return null
}

/**
 * @param {import('hansard/receiver').MeetingEvent<'recap_ready'>} event
 * @param {string | undefined} consoleUrl
 * @returns {SlackMessage}
 */
function formatRecap({ meetingId, payload }, consoleUrl) {
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
  /** @type {NonNullable<SlackMessage['blocks']>} */
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: title.slice(0, MAX_HEADER_LENGTH) } },
  ]
  if (summary !== '') {
    const text = escapeText(summary, MAX_SECTION_LENGTH)
    blocks.push({ type: 'section', text: { type: 'mrkdwn', text } })
  }
  blocks.push({
    type: 'context',
    elements: [{ type: 'mrkdwn', text: [...counts, ...link].join(' · ') }],
  })
  return { text: escapeText(`${title}: ${summary}`, MAX_SECTION_LENGTH), blocks }
}

/**
 * Speakers choose names and texts. Without escaping, a name such as `<!channel>` would notify everyone. The text is cut
 * before a character that does not fit, never inside an escaped one.
 * @param {string} text
 * @param {number} maxLength
 */
function escapeText(text, maxLength) {
  /** @type {Readonly<Record<string, string>>} */
  const escaped = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  let result = ''
  for (const character of text) {
    const next = escaped[character] ?? character
    if (result.length + next.length > maxLength - 1) return `${result}…`
    result += next
  }
  return result
}

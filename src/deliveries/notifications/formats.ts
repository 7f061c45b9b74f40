import {
  listMore,
  toPlainMessage,
  type MessageOutline,
  type OutlineItem,
} from './message-outline.ts'
import type { NotificationFormat } from './notification.ts'

/**
 * The request body of each chat. What people said or wrote is inert there: it has no formatting, links or mentions.
 * The limits of the chats: https://docs.slack.dev/reference/block-kit (3,000 characters for each text, 50 blocks),
 * 28 KB for a message of Teams, and 16,383 characters for one of Mattermost.
 */
const FORMATS: Record<NotificationFormat, (outline: MessageOutline) => unknown> = {
  slack: toSlackMessage,
  teams: toTeamsMessage,
  mattermost: toMattermostMessage,
}

export function formatMessage(format: NotificationFormat, outline: MessageOutline): string {
  return JSON.stringify(FORMATS[format](outline))
}

const MAX_SLACK_TEXT_CHARS = 2_900
const MAX_TEAMS_BYTES = 24_000
const MAX_MATTERMOST_CHARS = 15_000

/** Break a mention or link without a visible change. */
const INVISIBLE = '\u200B'

function toSlackMessage(outline: MessageOutline) {
  const { heading, title, url, sections } = outline
  const toBlock = (text: string) => ({
    type: 'section',
    // With `verbatim`, Slack makes no links and mentions of plain text.
    text: { type: 'mrkdwn', text, verbatim: true },
  })
  const toLine = ({ text, notes, url: lineUrl }: OutlineItem) =>
    [
      `• ${escapeSlack(text)}`,
      ...notes.map((note) => `_${escapeSlack(note)}_`),
      ...(lineUrl === null ? [] : [`<${escapeSlackUrl(lineUrl)}|Line>`]),
    ].join(' · ')
  return {
    // What the notification of a device shows.
    text: escapeSlack(`${heading}: ${title}`),
    blocks: [
      toBlock(`*${escapeSlack(heading)}*\n*<${escapeSlackUrl(url)}|${escapeSlack(title)}>*`),
      ...sections.map((section) => {
        const lines = [...section.items.map(toLine), ...listMore(section)]
        return toBlock(joinWithin(`*${section.heading}*`, lines, MAX_SLACK_TEXT_CHARS))
      }),
    ],
  }
}

function escapeSlack(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, `${INVISIBLE}$&${INVISIBLE}`)
}

function escapeSlackUrl(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll(/[<>|]/g, encodeURIComponent)
}

/** An adaptive card. Only TextBlock has Markdown; the text runs of RichTextBlock have none. */
function toTeamsMessage(outline: MessageOutline) {
  const { heading, title, url, sections } = outline
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more })
  const block = (inlines: object[], more: object = {}) => ({
    type: 'RichTextBlock',
    inlines,
    ...more,
  })
  const toBlock = ({ text, notes, url: lineUrl }: OutlineItem) =>
    block(
      [
        run(`• ${text}`),
        ...notes.map((note) => run(` · ${note}`, { isSubtle: true })),
        ...(lineUrl === null
          ? []
          : [run(' · '), run('Line', { selectAction: { type: 'Action.OpenUrl', url: lineUrl } })]),
      ],
      { spacing: 'Small' },
    )
  const body: object[] = [
    block([run(heading, { isSubtle: true })]),
    block([run(title, { weight: 'Bolder', size: 'Medium' })], { spacing: 'None' }),
  ]
  let bytes = 1_000
  for (const section of sections) {
    const blocks = [
      block([run(section.heading, { weight: 'Bolder' })], { spacing: 'Medium' }),
      ...section.items.map(toBlock),
      ...listMore(section).map((text) => block([run(text, { isSubtle: true })])),
    ]
    for (const one of blocks) {
      bytes += Buffer.byteLength(JSON.stringify(one)) + 1
      if (bytes <= MAX_TEAMS_BYTES) body.push(one)
    }
  }
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: toPlainMessage({ ...outline, sections: [] }),
    msteams: { width: 'Full' },
    body,
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Hansard', url }],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

function toMattermostMessage({ heading, title, url, sections }: MessageOutline) {
  const toLine = ({ text, notes, url: lineUrl }: OutlineItem) =>
    [
      `* ${escapeMarkdown(text)}`,
      ...notes.map((note) => `*${escapeMarkdown(note)}*`),
      ...(lineUrl === null ? [] : [`[Line](${escapeMarkdownUrl(lineUrl)})`]),
    ].join(' · ')
  const lines = sections.flatMap((section) => [
    '',
    `**${section.heading}**`,
    ...section.items.map(toLine),
    ...listMore(section),
  ])
  const top = `#### ${escapeMarkdown(heading)}\n[${escapeMarkdown(title)}](${escapeMarkdownUrl(url)})`
  return { text: joinWithin(top, lines, MAX_MATTERMOST_CHARS) }
}

/** Also breaks what Mattermost makes of plain text: mentions, hashtags, emoji and links. */
function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]()#+\-!|~<>&]/g, String.raw`\$&`)
    .replaceAll(/@|:(?=\S)|\bwww\./gi, `$&${INVISIBLE}`)
}

function escapeMarkdownUrl(url: string): string {
  return url.replaceAll(
    /[()<>\s\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** Joins whole lines as long as the text is not longer than a chat allows. */
function joinWithin(first: string, lines: readonly string[], maxLength: number): string {
  let text = first
  for (const line of lines) {
    if (text.length + line.length + 2 > maxLength) return `${text}\n…`
    text += `\n${line}`
  }
  return text
}

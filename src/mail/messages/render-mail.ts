import type { MailContent, MailBlock, MailLink, MailListItem } from './mail-blocks.ts'
import { renderMailHtml } from './render-mail-html.ts'
import { toPlainLine } from '../../lib/text/plain-text.ts'

/** No text of a recap or a title is longer. */
const MAX_LINE_CHARS = 1_000

/** Both forms of a mail. */
export function renderMail(content: MailContent): { html: string; text: string } {
  return { html: renderMailHtml(content), text: renderMailText(content) }
}

/** The mail as plain text, for programs and people who do not show HTML. */
function renderMailText({ title, blocks, footer }: MailContent): string {
  const parts = [
    cleanLine(title),
    ...blocks.map(renderBlock),
    ['-- ', cleanLine(footer.text), ...footer.links.map(renderLink)].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

function renderBlock(block: MailBlock): string {
  if (block.kind === 'heading') return cleanLine(block.text).toUpperCase()
  if (block.kind === 'paragraph') return cleanLine(block.text)
  if (block.kind === 'button') return renderLink(block.link)
  return block.items.map(renderItem).join('\n')
}

function renderItem({ text, notes = [], links = [] }: MailListItem): string {
  const about = notes.length === 0 ? '' : ` (${notes.map(cleanLine).join(', ')})`
  const lines = [`- ${cleanLine(text)}${about}`, ...links.map((link) => `  ${renderLink(link)}`)]
  return lines.join('\n')
}

function renderLink({ label, url }: MailLink): string {
  return `${cleanLine(label)}: ${url}`
}

function cleanLine(text: string): string {
  return toPlainLine(text, MAX_LINE_CHARS)
}

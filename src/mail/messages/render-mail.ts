import type { MailContent } from './mail-blocks.ts'
import { renderMailHtml } from './render-mail-html.ts'
import { renderMailText } from './render-mail-text.ts'

/** Both forms of a mail. */
export function renderMail(content: MailContent): { html: string; text: string } {
  return { html: renderMailHtml(content), text: renderMailText(content) }
}

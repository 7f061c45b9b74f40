import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { useMemo } from 'react'

const ALLOWED = {
  ALLOWED_TAGS:
    'a p br hr h1 h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li table thead tbody tr th td'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'align'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
}

/** The page has its own first heading, so those of a document stand below it. */
const marked = new Marked({
  gfm: true,
  walkTokens(token) {
    if (token.type === 'heading') token.depth = Math.min(6, (token.depth as number) + 2)
  },
})

/** A document may hold what strangers said: no images, no scripts, no styles, and links say where they lead. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => {
    const made = marked.parse(text, { async: false })
    return DOMPurify.sanitize(made, ALLOWED)
  }, [text])
  return <div className="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}

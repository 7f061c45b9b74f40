import DOMPurify from 'dompurify'
import type { Token, TokensList } from 'marked'
import { memo, useEffect, useMemo, useRef } from 'react'
import { escapeHtml } from '../format/format-text.ts'
import { markdownRenderer, tokenizeMarkdown } from './tokenize-markdown.ts'

const SANITIZE_OPTIONS = {
  ALLOWED_TAGS:
    'a p br hr h1 h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li table thead tbody tr th td input'.split(
      ' ',
    ),
  // HTML in a document is shown as text, so only task lists have an input.
  ALLOWED_ATTR: ['href', 'align', 'type', 'disabled', 'checked', 'aria-label'],
  // The values of these are not addresses, which the expression below would check.
  ADD_URI_SAFE_ATTR: ['align', 'type'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|\/projects\/)/i,
}
/** Markdown blocks per container element. The browser skips rendering containers that are off screen. */
const BLOCKS_PER_PIECE = 40

interface MarkdownProps {
  text: string
  /** The line number in the file where `text` starts. */
  firstLine?: number
  /** The linked line. Its paragraph is highlighted and scrolled into view. */
  target?: number | null
  /** Resolves a link without a host. Null turns the link into plain text. */
  toHref?: (href: string) => string | null
  /** Added to the level of every heading, so that they rank below the page's headings. */
  headingOffset?: 1 | 2
}

/** Documents contain untrusted text, so images, scripts and styles are removed. */
export function Markdown(props: MarkdownProps) {
  const { text, firstLine = 1, target = null, toHref = noLink, headingOffset = 2 } = props
  const pieces = useMemo(
    () => renderPieces(text, { firstLine, target, toHref, headingOffset }),
    [text, firstLine, target, toHref, headingOffset],
  )
  if (pieces === null) return <pre className="markdown wrap-code">{text}</pre>
  return (
    <div className="markdown" dir="auto">
      {pieces.map(({ key, html, isTarget }) => (
        <Piece key={key} html={html} isTarget={isTarget} />
      ))}
    </div>
  )
}

interface Piece {
  key: string
  html: string
  isTarget: boolean
}

const Piece = memo(function Piece({ html, isTarget }: Omit<Piece, 'key'>) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isTarget) box.current?.scrollIntoView({ block: 'center' })
  }, [isTarget])
  return (
    <div
      ref={box}
      className={isTarget ? 'piece target' : 'piece'}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
})

type RenderOptions = Required<Omit<MarkdownProps, 'text'>>

/** Renders Markdown to HTML in pieces. Null if the text is too long or nested too deeply to render safely. */
function renderPieces(text: string, options: RenderOptions): Piece[] | null {
  try {
    const tokens = tokenizeMarkdown(text)
    if (tokens === null) return null
    void markdownRenderer.walkTokens(tokens, (token) => rewriteToken(token, options))
    return groupTokens(tokens, options.firstLine, options.target).map(
      ({ tokens: some, key, isTarget }) => ({
        key,
        isTarget,
        html: DOMPurify.sanitize(markdownRenderer.parser(some), SANITIZE_OPTIONS),
      }),
    )
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Matches a simple HTML tag without attributes, which is safe to render. */
const PLAIN_TAG = /^<\/?(?:br|b|i|strong|em|del|code|hr|p)\s*\/?>$/i

/** Escapes unsafe HTML, shifts heading levels and resolves relative links. */
function rewriteToken(token: Token, { toHref, headingOffset }: RenderOptions): void {
  // HTML tags other than `PLAIN_TAG` are shown as text, because an unclosed tag could hide everything after it.
  if (token.type === 'html' && !PLAIN_TAG.test(token.raw.trim())) {
    const shown = escapeHtml(token.raw)
    token.text = token.block === true ? `<p>${shown}</p>` : shown
  }
  if (token.type === 'heading') token.depth = Math.min(6, (token.depth as number) + headingOffset)
  if (token.type !== 'link') return
  const href = String(token.href)
  if (/^(?:https?:|mailto:|#)/i.test(href)) return
  const resolved = toHref(href)
  if (resolved === null) token.type = 'text'
  else token.href = resolved
}

type Group = { tokens: Token[]; key: string; isTarget: boolean }

function groupTokens(tokens: TokensList, firstLine: number, target: number | null): Group[] {
  const starts = startLines(tokens, firstLine)
  const targetIndex =
    target === null
      ? -1
      : starts.findLastIndex((line, i) => line <= target && tokens[i]?.type !== 'space')
  const groups: Group[] = []
  tokens.forEach((token, i) => {
    const last = groups.at(-1)
    const isTarget = i === targetIndex
    if (last && !isTarget && !last.isTarget && last.tokens.length < BLOCKS_PER_PIECE)
      last.tokens.push(token)
    else groups.push({ tokens: [token], key: `${starts[i]}`, isTarget })
  })
  return groups
}

function startLines(tokens: readonly Token[], firstLine: number): number[] {
  let line = firstLine
  return tokens.map(({ raw }) => {
    const start = line
    line += raw.split('\n').length - 1
    return start
  })
}

function noLink(): null {
  return null
}

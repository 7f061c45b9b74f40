import DOMPurify from 'dompurify'
import { Marked, type Token, type TokensList } from 'marked'
import { memo, useEffect, useMemo, useRef } from 'react'
import { tokenizeMarkdown } from './tokenize-markdown.ts'

const SANITIZE_OPTIONS = {
  ALLOWED_TAGS:
    'a p br hr h1 h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li table thead tbody tr th td'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'align'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|\/projects\/)/i,
}
/** Blocks of text that are drawn together; what is out of sight costs nothing. */
const BLOCKS_PER_PIECE = 40

const marked = new Marked({ gfm: true })

interface MarkdownProps {
  text: string
  /** The number of its first line in the file. */
  firstLine?: number
  /** The line that somebody came for: its paragraph is marked and scrolled to. */
  target?: number | null
  /** Where a link that names no host leads; null: nowhere. */
  toHref?: (href: string) => string | null
  /** The level of the heading that stands above the document. */
  below?: 1 | 2
}

/** A document may hold what strangers said: no images, no scripts, no styles, and links say where they lead. */
export function Markdown(props: MarkdownProps) {
  const { text, firstLine = 1, target = null, toHref = noLink, below = 2 } = props
  const pieces = useMemo(
    () => renderPieces(text, { firstLine, target, toHref, below }),
    [text, firstLine, target, toHref, below],
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

/** Null for a text that is nested too deeply to be anything but an attack. */
function renderPieces(text: string, manner: RenderOptions): Piece[] | null {
  try {
    const tokens = tokenizeMarkdown(text)
    if (tokens === null) return null
    void marked.walkTokens(tokens, (token) => rewriteToken(token, manner))
    return groupTokens(tokens, manner.firstLine, manner.target).map(
      ({ tokens: some, key, isTarget }) => ({
        key,
        isTarget,
        html: DOMPurify.sanitize(marked.parser(some), SANITIZE_OPTIONS),
      }),
    )
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Without attributes there is nothing in them to fear. */
const PLAIN_TAG = /^<\/?(?:br|b|i|strong|em|del|code|hr|p)\s*\/?>$/i

/** The page has its own first heading, so those of a document stand below it. */
function rewriteToken(token: Token, { toHref, below }: RenderOptions): void {
  // Tags are shown as they were written: one that is never closed could swallow what comes after it.
  if (token.type === 'html' && !PLAIN_TAG.test(token.raw.trim())) {
    const shown = escapeHtml(token.raw)
    token.text = token.block === true ? `<p>${shown}</p>` : shown
  }
  if (token.type === 'heading') token.depth = Math.min(6, (token.depth as number) + below)
  if (token.type !== 'link') return
  const href = String(token.href)
  if (/^(?:https?:|mailto:|#)/i.test(href)) return
  const inside = toHref(href)
  // A link that leads nowhere is only its words.
  if (inside === null) token.type = 'text'
  else token.href = inside
}

type Group = { tokens: Token[]; key: string; isTarget: boolean }

function groupTokens(tokens: TokensList, firstLine: number, target: number | null): Group[] {
  const starts = startLines(tokens, firstLine)
  const aim =
    target === null
      ? -1
      : starts.findLastIndex((line, i) => line <= target && tokens[i]?.type !== 'space')
  const groups: Group[] = []
  tokens.forEach((token, i) => {
    const last = groups.at(-1)
    const isTarget = i === aim
    if (last && !isTarget && !last.isTarget && last.tokens.length < BLOCKS_PER_PIECE)
      last.tokens.push(token)
    else groups.push({ tokens: [token], key: `${starts[i]}`, isTarget })
  })
  return groups
}

/** On which line each token begins. */
function startLines(tokens: readonly Token[], firstLine: number): number[] {
  let line = firstLine
  return tokens.map(({ raw }) => {
    const start = line
    line += raw.split('\n').length - 1
    return start
  })
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function noLink(): null {
  return null
}

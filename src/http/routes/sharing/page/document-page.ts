import { findFrontMatter } from '../../../../projects/front-matter.ts'
import { markup, type SafeHtml } from './safe-html.ts'
import { renderFooter, renderFrame } from './page-frame.ts'

/** What the page of a shared document shows: its file name and its text, without the front matter. */
export type SharedDocument = { path: string; text: string; expiresAt: Date; timeZone: string }

export function renderDocumentPage({ path, ...rest }: SharedDocument): Iterable<string> {
  const title = path.slice(path.lastIndexOf('/') + 1)
  return renderFrame(title, renderBody(title, rest))
}

function* renderBody(
  title: string,
  { text, expiresAt, timeZone }: Omit<SharedDocument, 'path'>,
): Generator<SafeHtml> {
  yield markup`<h1 dir="auto">${title}</h1>`
  yield* renderText(text.slice(findFrontMatter(text)?.bodyStart ?? 0))
  yield renderFooter(expiresAt, timeZone)
}

type Block = { kind: 'heading' | 'item' | 'code' | 'text'; text: string; level: number }

/**
 * Shows headings, list items and blocks of code as such, and every other line as it is written. One pass over the
 * lines, because a document of a stranger can make a complete Markdown parser slow.
 */
function* renderText(text: string): Generator<SafeHtml> {
  let list: string[] = []
  for (const block of splitIntoBlocks(text)) {
    if (block.kind === 'item') {
      list.push(block.text)
      continue
    }
    if (list.length > 0) yield renderList(list)
    list = []
    yield renderBlock(block)
  }
  if (list.length > 0) yield renderList(list)
}

function* splitIntoBlocks(text: string): Generator<Block> {
  let code: string[] | null = null
  for (const line of text.split(/\r\n|\n|\r/)) {
    const isFence = /^ {0,3}(?:```|~~~)/.test(line)
    if (code !== null && !isFence) {
      code.push(line)
      continue
    }
    if (isFence) {
      if (code !== null) yield { kind: 'code', text: code.join('\n'), level: 0 }
      code = code === null ? [] : null
      continue
    }
    yield* parseLine(line)
  }
  if (code !== null) yield { kind: 'code', text: code.join('\n'), level: 0 }
}

function* parseLine(line: string): Generator<Block> {
  const [, marks, heading] = /^(#{1,6}) +(.+)$/s.exec(line) ?? []
  const [, item] = /^\s*[-*+] +(.+)$/s.exec(line) ?? []
  if (marks !== undefined && heading !== undefined)
    yield { kind: 'heading', text: heading, level: marks.length }
  else if (item !== undefined) yield { kind: 'item', text: item, level: 0 }
  else if (line.trim() !== '') yield { kind: 'text', text: line, level: 0 }
}

function renderList(items: readonly string[]): SafeHtml {
  return markup`<ul>${items.map((item) => markup`<li dir="auto">${item}</li>`)}</ul>`
}

/** The name of the file is the only heading of the first level. */
function renderBlock({ kind, text, level }: Block): SafeHtml {
  if (kind === 'code') return markup`<pre>${text}</pre>`
  if (kind === 'text') return markup`<p class="line" dir="auto">${text}</p>`
  const rank = Math.min(6, level + 1)
  return markup`<h${rank} dir="auto">${text}</h${rank}>`
}

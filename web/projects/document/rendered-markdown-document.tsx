import { useRouter } from '@tanstack/react-router'
import { Stack } from '@mantine/core'
import { useMemo, Fragment, useCallback, type MouseEvent } from 'react'
import { findFrontMatter } from '../../../src/projects/front-matter.ts'
import { ButtonLink, meetingPage } from '../../ui/links.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { type DocumentRef, resolveLinkToPagePath } from '../document-ref.ts'

const MAX_FIELDS = 40
const MAX_VALUE = 500

/** A rendered document: its front matter as a list, the rest as Markdown. */
export function RenderedMarkdownDocument({
  documentRef,
  text,
  targetLine,
}: {
  documentRef: DocumentRef
  text: string
  targetLine: number | null
}) {
  const { fields, body, firstLine } = useMemo(() => splitFrontMatter(text), [text])
  const { project, path } = documentRef
  const toHref = useCallback(
    (href: string) => resolveLinkToPagePath({ project, path }, href),
    [project, path],
  )
  const { meetingId } = fields
  const isTranscript = /^meetings\//i.test(path) && typeof meetingId === 'string'
  const onClick = useClientSideLinks()
  return (
    <Stack gap="md">
      {isTranscript && (
        <div>
          <ButtonLink {...meetingPage(meetingId)} variant="default" size="xs">
            Open meeting
          </ButtonLink>
        </div>
      )}
      <FrontMatterList fields={fields} />
      {/* Links work without this click handler. It only avoids reloading the whole console. */}
      <div onClick={onClick} role="presentation">
        <Markdown
          text={body}
          firstLine={firstLine}
          target={targetLine}
          toHref={toHref}
          headingOffset={1}
        />
      </div>
    </Stack>
  )
}

function FrontMatterList({ fields }: { fields: Record<string, unknown> }) {
  const shown = Object.entries(fields).slice(0, MAX_FIELDS)
  if (shown.length === 0) return null
  return (
    <dl className="description-list front-matter" aria-label="Front matter">
      {shown.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="break-anywhere">{name.slice(0, 80)}</dt>
          <dd dir="auto">{formatValue(value)}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function splitFrontMatter(text: string) {
  const header = findFrontMatter(text)
  if (header === null) return { fields: {}, body: text, firstLine: 1 }
  const { fields, bodyStart } = header
  const firstLine = text.slice(0, bodyStart).split('\n').length
  return { fields, body: text.slice(bodyStart), firstLine }
}

function formatValue(value: unknown): string {
  const words = Array.isArray(value) ? value.map(formatScalar).join(', ') : formatScalar(value)
  return words.length > MAX_VALUE ? `${words.slice(0, MAX_VALUE)}…` : words
}

function formatScalar(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function useClientSideLinks(): (event: MouseEvent) => void {
  const { history } = useRouter()
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const href = link?.getAttribute('href')
    if (!href?.startsWith('/projects/')) return
    event.preventDefault()
    history.push(href)
  }
}

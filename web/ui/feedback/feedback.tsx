import { useTimeout } from '@mantine/hooks'
import { Stack, Button, Text, Group, Loader, List } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type ApiError, type FieldError, isNotFoundError, toApiError } from '../../api/api-error.ts'
import { CheckIcon } from '../icons.tsx'
import { PageTitle } from '../layout.tsx'
import './empty-state.css'

/** The part of a TanStack query result that `QueryView` needs. */
interface QueryResult<Data> {
  data: Data | undefined
  error: Error | null
  errorUpdateCount: number
  isFetching: boolean
  refetch: () => Promise<unknown>
}

interface QueryViewProps<Data> {
  query: QueryResult<Data>
  label: string
  /** Page header to show if the query failed and there is no data. */
  fallbackHeader?: ReactNode
  /** Shown after a 404 instead of the error. If not set, the error is shown. */
  notFound?: ReactNode
  children: (data: Data) => ReactNode
}

/** If a refresh fails, shows the error above the earlier data. After a 404 that data is hidden. */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { query, label, fallbackHeader, notFound, children } = props
  const { isFetching, refetch } = query
  const error = useErrorUntilAnswered(query)
  const isNotFound = isNotFoundError(error)
  const data = isNotFound ? undefined : query.data
  if (isNotFound && notFound !== undefined) return notFound
  return (
    <Stack gap="md">
      {error && (
        <>
          {data === undefined && fallbackHeader}
          <ErrorBox error={error} />
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </>
      )}
      {data !== undefined && children(data)}
      {data === undefined && !error && <LoadingIndicator label={`Loading ${label}`} />}
    </Stack>
  )
}

/**
 * A query without data forgets its error while it is repeated. Until the new result arrives, the content stays.
 * Otherwise a "not found" would blink whenever the page reads again.
 */
function useErrorUntilAnswered<Data>(query: QueryResult<Data>): Error | null {
  const { error, errorUpdateCount, isFetching } = query
  const [last, setLast] = useState(error)
  // A different query in the same place has not failed yet, and must not show the previous one's error.
  const shown = error ?? (isFetching && errorUpdateCount > 0 ? last : null)
  if (shown !== last) setLast(shown)
  return shown
}

const NO_FIELDS: string[] = []

interface ErrorBoxProps {
  error: unknown
  /** Fields that show their own error, which the box does not repeat. */
  fieldsWithOwnError?: string[]
}

/**
 * Shows an error, and nothing if there is none. Does not use Mantine's Alert, whose title is its accessible name and
 * would also match the labels of fields.
 */
export function ErrorBox({ error, fieldsWithOwnError = NO_FIELDS }: ErrorBoxProps) {
  if (error === null || error === undefined) return null
  const problem = toApiError(error)
  const remaining = problem.details.filter(({ path }) => !fieldsWithOwnError.includes(path))
  return (
    <div role="alert" tabIndex={-1} className="error-box">
      <Stack gap={6}>
        <Text fw={650} c="var(--mantine-color-error)" className="break-anywhere">
          {problem.message}
        </Text>
        <Details problems={remaining} />
        {problem.hint && <Text size="sm">{problem.hint}</Text>}
        {problem.retryAfterSeconds && (
          <Text size="sm">Try again in {formatWait(problem.retryAfterSeconds)}.</Text>
        )}
        {problem.code !== '' && (
          <Text size="xs" c="dimmed" className="break-anywhere">
            {errorReference(problem)}
          </Text>
        )}
      </Stack>
    </div>
  )
}

function Details({ problems }: { problems: FieldError[] }) {
  if (problems.length === 0) return null
  return (
    <List size="sm">
      {problems.map(({ path, message }) => (
        <List.Item key={`${path} ${message}`}>{path ? `${path}: ${message}` : message}</List.Item>
      ))}
    </List>
  )
}

function errorReference({ code, requestId }: ApiError): string {
  return requestId ? `Code ${code} · request ${requestId}` : `Code ${code}`
}

function formatWait(seconds: number): string {
  if (seconds < 90) return `${seconds} second${seconds === 1 ? '' : 's'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** Shows nothing for the first 200 ms, so that fast responses do not flicker. */
export function LoadingIndicator({ label }: { label: string }) {
  const [isShown, setShown] = useState(false)
  useTimeout(() => setShown(true), 200, { autoInvoke: true })
  return (
    <Group role="status" gap="sm" mih={40} data-waiting>
      {isShown && (
        <>
          <Loader size="sm" aria-hidden />
          <Text c="dimmed">{label}…</Text>
        </>
      )}
    </Group>
  )
}

interface StatusMessageProps {
  children: ReactNode
  /** True if the message reports a failure. It then has no check mark. */
  isFailure?: boolean
}

/** Rendered even if empty, so that screen readers announce the text when it appears. */
export function StatusMessage({ children, isFailure = false }: StatusMessageProps) {
  return (
    <Group
      role="status"
      gap={6}
      wrap="nowrap"
      {...(!isFailure && { c: 'var(--mantine-color-anchor)' })}
    >
      {children && (
        <>
          {!isFailure && <CheckIcon />}
          <Text size="sm">{children}</Text>
        </>
      )}
    </Group>
  )
}

interface NotFoundNoticeProps {
  /** What was not found, for the page title: "Meeting". */
  what: string
  /** The link to the list where people look for it next. */
  children: ReactNode
}

/** Replaces the content of a page whose meeting, task or run does not exist or is hidden from this user. */
export function NotFoundNotice({ what, children }: NotFoundNoticeProps) {
  return (
    <Stack gap="md" align="flex-start">
      <PageTitle>{`${what} not found`}</PageTitle>
      <NotFoundText what={what} />
      {children}
    </Stack>
  )
}

/** For pages that have another title, for example the name of a file. */
export function NotFoundText({ what }: { what: string }) {
  return (
    <Text role="alert">
      This {what.toLowerCase()} doesn’t exist, was deleted, or you don’t have access to it.
    </Text>
  )
}

interface EmptyStateProps {
  drawing: DrawingName
  title: string
  /** One sentence: what appears here, or what to try. */
  children?: ReactNode
  /** A button or link to the next step. */
  action?: ReactNode
}

/** Replaces an empty list. */
export function EmptyState({ drawing, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <svg aria-hidden className="drawing" width="132" height="88" viewBox="0 0 132 88">
        <circle className="patch" cx="66" cy="44" r="38" />
        {DRAWINGS[drawing]}
      </svg>
      <p className="empty-state-title break-anywhere">{title}</p>
      {children && <p className="empty-state-text">{children}</p>}
      {action && <div className="empty-state-action">{action}</div>}
    </div>
  )
}

/** The drawings of empty lists, each 132 by 88. The styles are in empty-state.css. */
const DRAWINGS = {
  /** Two people talk. */
  talk: (
    <>
      <path d="M22 20h52a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H42L30 64V54h-8a7 7 0 0 1-7-7V27a7 7 0 0 1 7-7z" />
      <path className="thin" d="M28 31h38M28 41h24" />
      <path d="M72 38h38a7 7 0 0 1 7 7v16a7 7 0 0 1-7 7h-6v10L93 68H72a7 7 0 0 1-7-7V45a7 7 0 0 1 7-7z" />
      <path className="accent" d="M78 53v0M86 47v12M94 50v6M102 53v0" />
    </>
  ),
  /** A page of a calendar. */
  calendar: (
    <>
      <rect x="33" y="18" width="66" height="56" rx="7" />
      <path
        className="thin"
        d="M33 34h66M50 12v11M82 12v11M46 46h6M63 46h6M80 46h6M46 60h6M80 60h6"
      />
      <circle className="accent" cx="66" cy="60" r="7" />
    </>
  ),
  /** A list with everything ticked. */
  checklist: (
    <>
      <rect x="38" y="12" width="56" height="66" rx="7" />
      <path className="thin" d="M62 29h20M62 45h20M62 61h12" />
      <path className="accent" d="m47 29 3 3 5-6M47 45l3 3 5-6M47 61l3 3 5-6" />
    </>
  ),
  /** A folder with a page in it. */
  folder: (
    <>
      <path d="M28 26a5 5 0 0 1 5-5h20l8 9h36a5 5 0 0 1 5 5v8H28z" />
      <rect x="46" y="28" width="40" height="34" rx="4" />
      <path className="accent" d="M54 38h24M54 45h14" />
      <path d="M24 50h84l-6 22a5 5 0 0 1-5 4H35a5 5 0 0 1-5-4z" />
    </>
  ),
  /** A page and a clock. */
  clock: (
    <>
      <rect x="36" y="14" width="48" height="60" rx="7" />
      <path className="thin" d="M46 28h28M46 38h20M46 48h12" />
      <circle cx="86" cy="58" r="18" />
      <path className="accent" d="M86 47v11l7 5" />
    </>
  ),
  /** A paper plane. */
  plane: (
    <>
      <path d="M108 18 34 46l24 10 10 22z" />
      <path className="thin" d="M58 56 108 18 68 78l-10-22z" />
      <path className="accent" d="M22 62h14M16 72h26M30 52h4" />
    </>
  ),
  /** A magnifier over lines of text. */
  search: (
    <>
      <rect x="30" y="16" width="54" height="58" rx="7" />
      <path className="thin" d="M40 30h34M40 40h18M40 50h14M40 60h20" />
      <circle cx="80" cy="48" r="17" />
      <path className="accent" d="m92 60 13 13M72 48h16" />
    </>
  ),
} satisfies Record<string, ReactNode>

type DrawingName = keyof typeof DRAWINGS

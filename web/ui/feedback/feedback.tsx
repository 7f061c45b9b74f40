import { Button, Stack, List, Text, Group, Loader } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { isNotFoundError, toApiError, type ApiError, type FieldError } from '../../api/api-error.ts'
import { CheckIcon } from '../icons.tsx'
import { PageTitle } from '../layout/headings.tsx'

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

/** Does not use Mantine's Alert, whose title is its accessible name and would also match the labels of fields. */
export function ErrorBox({ error, fieldsWithOwnError = NO_FIELDS }: ErrorBoxProps) {
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

import { Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { isNotFoundError } from '../../api/api-error.ts'
import { ErrorBox } from './error-box.tsx'
import { LoadingIndicator } from './loading-indicator.tsx'

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

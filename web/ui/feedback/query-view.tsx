import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { isNotFoundError } from '../../api/api-error.ts'
import { ErrorBox } from './error-box.tsx'
import { LoadingIndicator } from './loading-indicator.tsx'

/** The part of a TanStack query result that `QueryView` needs. */
interface QueryResult<Data> {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => Promise<unknown>
}

interface QueryViewProps<Data> {
  query: QueryResult<Data>
  label: string
  /** Page header to show when the query failed and there is no data. */
  fallbackHeader?: ReactNode
  children: (data: Data) => ReactNode
}

/** When a refresh fails, shows the error above the data read before. After a 404 that data is hidden. */
export function QueryView<Data>({ query, label, fallbackHeader, children }: QueryViewProps<Data>) {
  const { error, isFetching, refetch } = query
  const data = isNotFoundError(error) ? undefined : query.data
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

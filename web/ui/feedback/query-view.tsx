import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { isNotFound } from '../../api/api-error.ts'
import { ErrorBox } from './error-box.tsx'
import { LoadingIndicator } from './loading-indicator.tsx'

/** What a query of either kind tells. */
interface QueryResult<Data> {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => Promise<unknown>
}

interface QueryViewProps<Data> {
  query: QueryResult<Data>
  what: string
  /** The head of the page when there is nothing to show. */
  head?: ReactNode
  children: (data: Data) => ReactNode
}

/** An old list stays readable when a new one could not be fetched, with the reason above it; what is gone is not shown as if it were there. */
export function QueryView<Data>({ query, what, head, children }: QueryViewProps<Data>) {
  const { error, isFetching, refetch } = query
  const data = isNotFound(error) ? undefined : query.data
  return (
    <Stack gap="md">
      {error && (
        <>
          {data === undefined && head}
          <ErrorBox error={error} />
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </>
      )}
      {data !== undefined && children(data)}
      {data === undefined && !error && <LoadingIndicator what={`Loading ${what}`} />}
    </Stack>
  )
}

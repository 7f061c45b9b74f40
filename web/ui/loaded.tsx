import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorBox } from './error-box.tsx'
import { Waiting } from './waiting.tsx'

/** What a query of either kind tells. */
interface Query<Data> {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => Promise<unknown>
}

interface LoadedProps<Data> {
  query: Query<Data>
  what: string
  children: (data: Data) => ReactNode
}

/** An old list stays readable when a new one could not be fetched, with the reason above it. */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = query
  return (
    <Stack gap="md">
      {error && (
        <>
          <ErrorBox error={error} />
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </>
      )}
      {data !== undefined && children(data)}
      {data === undefined && !error && <Waiting what={`Loading ${what}`} />}
    </Stack>
  )
}

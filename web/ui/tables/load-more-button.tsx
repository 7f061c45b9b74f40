import { Button, type ButtonProps } from '@mantine/core'

/** The part of a paged query that the button needs. */
interface PagedQuery {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
}

interface LoadMoreButtonProps {
  query: PagedQuery
  size?: ButtonProps['size']
  children: string
}

/** Loads the next page of a list. Hidden if there is none. */
export function LoadMoreButton({ query, size, children }: LoadMoreButtonProps) {
  if (!query.hasNextPage) return null
  return (
    <Button
      variant="default"
      {...(size !== undefined && { size })}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children}
    </Button>
  )
}

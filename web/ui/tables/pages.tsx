import { Button, Group, Text, type ButtonProps } from '@mantine/core'

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

interface PaginationProps {
  /** The current page. The first page is 1. */
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

/** Shows the position in a list, with Previous and Next buttons. Hidden if everything fits on one page. */
export function Pagination({ page, pageSize, total, onPage }: PaginationProps) {
  if (total <= pageSize && page === 1) return null
  const [first, last] = [(page - 1) * pageSize + 1, Math.min(page * pageSize, total)]
  return (
    <Group component="nav" aria-label="Pages" gap="sm">
      <Button variant="default" size="xs" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Text size="sm" className="figures">
        {first <= last ? `${first}–${last}` : 'none'} of {total.toLocaleString('en')}
      </Text>
      <Button variant="default" size="xs" disabled={last >= total} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </Group>
  )
}

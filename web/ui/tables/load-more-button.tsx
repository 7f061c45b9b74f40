import { Button, type ButtonProps } from '@mantine/core'

/** A list that comes in pages, as far as a button needs to know it. */
interface PagedQuery {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
}

interface LoadMoreButtonProps {
  of: PagedQuery
  size?: ButtonProps['size']
  children: string
}

/** Reads the next page of a list; nothing when there is none. */
export function LoadMoreButton({ of, size, children }: LoadMoreButtonProps) {
  if (!of.hasNextPage) return null
  return (
    <Button
      variant="default"
      {...(size !== undefined && { size })}
      loading={of.isFetchingNextPage}
      onClick={() => void of.fetchNextPage()}
    >
      {children}
    </Button>
  )
}

import { Button, type ButtonProps } from '@mantine/core'

/** A list that comes in pages, as far as a button needs to know it. */
interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
}

interface MoreButtonProps {
  of: Pages
  size?: ButtonProps['size']
  children: string
}

/** Reads the next page of a list; nothing when there is none. */
export function MoreButton({ of, size, children }: MoreButtonProps) {
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

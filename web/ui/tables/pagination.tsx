import { Button, Group, Text } from '@mantine/core'

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

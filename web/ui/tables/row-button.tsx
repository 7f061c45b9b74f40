import { Button } from '@mantine/core'

interface RowButtonProps {
  label: string
  /** Accessible name: the label plus the name of the row. */
  name: string
  onClick: () => void
}

export function RowButton({ label, name, onClick }: RowButtonProps) {
  return (
    <Button variant="default" size="xs" aria-label={name} onClick={onClick}>
      {label}
    </Button>
  )
}

import { Button } from '@mantine/core'

interface RowButtonProps {
  label: string
  /** Accessible name: the label plus the name of the row. */
  ariaLabel: string
  onClick: () => void
}

export function RowButton({ label, ariaLabel, onClick }: RowButtonProps) {
  return (
    <Button variant="default" size="xs" aria-label={ariaLabel} onClick={onClick}>
      {label}
    </Button>
  )
}

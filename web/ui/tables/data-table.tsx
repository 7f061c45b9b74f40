import { Card, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Fragment, type ReactNode } from 'react'
import { NARROW } from '../breakpoints.ts'
import { RowMenu, type RowMenuProps } from './row-menu.tsx'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  /** What the table holds, for those who do not see it. */
  caption: string
  rows: Row[]
  /** The first column names the row. */
  columns: [Column<Row>, ...Column<Row>[]]
  renderActions?: (row: Row) => ReactNode
  /** What can be copied of a row. */
  menuOf?: (row: Row) => RowMenuProps
  isFaded?: (row: Row) => boolean
}

/** A table where there is room, a list of cards with the same facts where there is not. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  return isNarrow ? <CardList {...props} /> : <WideTable {...props} />
}

function WideTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, isFaded } = props
  const [first, ...others] = columns
  const hasActions = props.renderActions !== undefined || props.menuOf !== undefined
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ header }) => (
            <Table.Th key={header} scope="col">
              {header}
            </Table.Th>
          ))}
          {hasActions && (
            <Table.Th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id} className={isFaded?.(row) ? 'row-faded' : ''}>
            <Table.Th scope="row" className="break-anywhere">
              {first.cell(row)}
            </Table.Th>
            {others.map(({ header, cell }) => (
              <Table.Td key={header}>{cell(row)}</Table.Td>
            ))}
            {hasActions && (
              <Table.Td>
                <Actions {...props} row={row} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function CardList<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, columns, isFaded } = props
  const [first, ...others] = columns
  return (
    <Stack component="ul" className="plain-list" aria-label={caption} gap="sm">
      {rows.map((row) => (
        <Card key={row.id} component="li" withBorder className={isFaded?.(row) ? 'row-faded' : ''}>
          <Stack gap="sm">
            <Text component="div" fw={650} className="break-anywhere">
              {first.cell(row)}
            </Text>
            <dl className="facts">
              {others.map(({ header, cell }) => (
                <Fragment key={header}>
                  <dt>{header}</dt>
                  <dd>{cell(row)}</dd>
                </Fragment>
              ))}
            </dl>
            <Actions {...props} row={row} />
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

function Actions<Row extends { id: string }>(props: DataTableProps<Row> & { row: Row }) {
  const { renderActions, menuOf, row } = props
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {renderActions?.(row)}
      {menuOf && <RowMenu {...menuOf(row)} />}
    </Group>
  )
}

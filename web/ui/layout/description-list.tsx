import { Fragment, type ReactNode } from 'react'

export type DescriptionItem = [name: string, value: ReactNode]

/** A list of names with one value each. */
export function DescriptionList({ facts }: { facts: readonly DescriptionItem[] }) {
  return (
    <dl className="description-list">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

import type { sitePages } from '@dubplate/contract'

/** A page while it is written; its version as it was read, 0 for one that was never written. */
export type PageEntry = { title: string; markdown: string; version: number }

export const pageEntryOf = ({ title, markdown, version }: sitePages.StaffPageText): PageEntry => ({
  title,
  markdown,
  version,
})

/** What stands in [brackets] and is no link: the beginning of a page leaves there what only its operator knows. */
export const openPlaces = (markdown: string): string[] => markdown.match(/(?<!\])\[[^\]]*\](?![([:])/g) ?? []

import type { sitePages } from '@dubplate/contract'

/** A page being edited; its version as loaded, 0 for a page that was never saved. */
export type PageEntry = { title: string; markdown: string; version: number }

export const pageEntryOf = ({ title, markdown, version }: sitePages.StaffPageText): PageEntry => ({
  title,
  markdown,
  version,
})

/** Text in [brackets] that is not a link: the default pages use it for details that only the operator knows. */
export const openPlaces = (markdown: string): string[] => markdown.match(/(?<!\])\[[^\]]*\](?![([:])/g) ?? []

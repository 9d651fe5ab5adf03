/** Text in [brackets] that is not a link: the default pages use it for details that only the operator knows. */
export const findPlaceholders = (markdown: string): string[] => markdown.match(/(?<!\])\[[^\]]*\](?![([:])/g) ?? []

/** How long the description of a list, genre or playlist may be. */
export const DESCRIPTION_LENGTH = 300

/** A text as one paragraph: line breaks become spaces. */
export const toParagraph = (text: string): string => text.replace(/\s+/g, ' ').trim()

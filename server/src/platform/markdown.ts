import { Marked } from 'marked'
import { cleanPage } from './rich-text.ts'

/** GitHub's Markdown (https://github.github.com/gfm/). */
const marked = new Marked({ gfm: true, async: false })

/** Markdown as HTML, cleaned: HTML that stands in it is kept as far as it is harmless. */
export const htmlOfMarkdown = (markdown: string): string => cleanPage(marked.parse(markdown) as string)

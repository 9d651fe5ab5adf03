import { Marked, type Token } from 'marked'
import { cleanPage } from './rich-text.ts'

/** GitHub's Markdown (https://github.github.com/gfm/). */
const marked = new Marked({ gfm: true, async: false })

/** `depth`: the deepest nesting of quotes and lists. */
export type RenderedMarkdown = { html: string; depth: number }

/**
 * Renders Markdown as sanitised HTML, on this thread; harmless HTML in it is kept. Throws if the text is nested deeper
 * than the stack allows.
 */
export function renderMarkdownInline(markdown: string): RenderedMarkdown {
  const tokens = marked.lexer(markdown)
  return { html: cleanPage(marked.parser(tokens) as string), depth: computeDepth(tokens) }
}

const CONTAINER_TOKENS = new Set(['blockquote', 'list'])

/** Not recursive, because the text may be nested to any depth. */
function computeDepth(tokens: Token[]): number {
  const open = [{ tokens, depth: 0 }]
  let deepest = 0
  for (let next = open.pop(); next; next = open.pop()) {
    for (const token of next.tokens) {
      const depth = next.depth + (CONTAINER_TOKENS.has(token.type) ? 1 : 0)
      deepest = Math.max(deepest, depth)
      const { tokens: children, items } = token as { tokens?: Token[]; items?: Token[] }
      if (children) open.push({ tokens: children, depth })
      if (items) open.push({ tokens: items, depth })
    }
  }
  return deepest
}

import createPurify from 'dompurify'

/** The tags that the server keeps. */
const ALLOWED_TAGS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 's', 'a', 'ul', 'ol', 'li', 'blockquote', 'code', 'pre']
/** The elements other programs use for paragraphs and cells. */
const BLOCKS = ['div', 'section', 'article', 'header', 'footer', 'main', 'center', 'tr', 'dt', 'dd']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const CELLS = ['td', 'th']
const INLINE = ['span', 'font']

const ALLOWED = {
  ALLOWED_TAGS: [...ALLOWED_TAGS, ...BLOCKS, ...HEADINGS, ...CELLS, ...INLINE],
  // Styles are read for bold and italic, then removed.
  ALLOWED_ATTR: ['href', 'start', 'style'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?![/\\]))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
}

/** A separate instance from the one that sanitises displayed HTML. */
const purify = createPurify(window)

/** Pasted HTML as the editor may contain it: nothing that runs or loads, and only bold and italic of its styles. */
export function cleanFragment(html: string): DocumentFragment {
  const fragment = document.importNode(purify.sanitize(html, ALLOWED), true)
  for (const element of queryAll(fragment, '[style]')) replaceStylesWithTags(element)
  for (const cell of queryAll(fragment, CELLS)) cell.append(' ')
  for (const heading of queryAll(fragment, HEADINGS)) {
    const bold = document.createElement('b')
    bold.append(...heading.childNodes)
    heading.append(bold)
  }
  // Innermost first, so that elements that contain paragraphs can be told from paragraphs.
  for (const block of queryAll(fragment, [...BLOCKS, ...HEADINGS]).reverse()) {
    if (block.querySelector('p, ul, ol, blockquote, pre')) unwrap(block)
    else rename(block, 'p')
  }
  for (const rest of queryAll(fragment, [...CELLS, ...INLINE])) unwrap(rest)
  return fragment
}

const queryAll = (fragment: DocumentFragment, tags: string | string[]) => [
  ...fragment.querySelectorAll<HTMLElement>(String(tags)),
]

const unwrap = (element: HTMLElement) => element.replaceWith(...element.childNodes)

function rename(element: HTMLElement, tag: string) {
  const renamed = document.createElement(tag)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}

/** Office documents use styles for bold and italic, and tags that do not match their appearance. */
function replaceStylesWithTags(element: HTMLElement) {
  const { fontWeight, fontStyle } = element.style
  element.removeAttribute('style')
  const isBold = fontWeight === 'bold' || Number(fontWeight) >= 600
  if (element.matches('b, strong') && fontWeight && !isBold) return unwrap(element)
  if (!element.matches('span, font')) return
  if (isBold) wrapInside(element, 'b')
  if (fontStyle === 'italic') wrapInside(element, 'i')
}

function wrapInside(element: HTMLElement, tag: string) {
  const wrapper = document.createElement(tag)
  wrapper.append(...element.childNodes)
  element.append(wrapper)
}

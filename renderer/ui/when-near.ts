import type { Attachment } from 'svelte/attachments';

/** Calls back when the element comes into view or near it, and again whenever it has left and come back. */
export function whenNear(reached: () => void): Attachment<Element> {
  return (element) => {
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && reached(), {
      rootMargin: '600px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  };
}

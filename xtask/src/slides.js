// One slide at a time, as large as the window allows. Without this, all stand below each other.
(() => {
  const slides = [...document.querySelectorAll('section')];
  let now = 0;
  const fit = () => {
    const scale = Math.min(innerWidth / WIDTH, innerHeight / HEIGHT);
    const [left, top] = [(innerWidth - scale * WIDTH) / 2, (innerHeight - scale * HEIGHT) / 2];
    for (const slide of slides) {
      slide.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    }
  };
  const show = (number) => {
    now = Math.max(0, Math.min(slides.length - 1, number));
    slides.forEach((slide, i) => slide.classList.toggle('now', i === now));
    history.replaceState(null, '', `#${now + 1}`);
  };
  const back = new Set(['ArrowLeft', 'ArrowUp', 'PageUp', 'Backspace']);
  const on = new Set(['ArrowRight', 'ArrowDown', 'PageDown', ' ', 'Enter']);
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (on.has(event.key)) show(now + 1);
    else if (back.has(event.key)) show(now - 1);
    else if (event.key === 'Home') show(0);
    else if (event.key === 'End') show(slides.length - 1);
    else return;
    event.preventDefault();
  });
  const asked = () => show((parseInt(location.hash.slice(1), 10) || 1) - 1);
  addEventListener('hashchange', asked);
  addEventListener('resize', fit);
  addEventListener('beforeprint', () => slides.forEach((slide) => (slide.style.transform = '')));
  addEventListener('afterprint', fit);
  document.body.classList.add('one');
  fit();
  asked();
})();

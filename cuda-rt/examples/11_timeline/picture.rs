//! The timeline as an SVG picture.

use std::fmt::Write as _;

/// The copies and kernels in the order in which a chunk has them, with their colors.
const PARTS: [(&str, &str); 3] = [("upload", "#4477aa"), ("kernel", "#ddaa33"), ("download", "#bb5566")];
const LEFT: f32 = 16.0;
const WIDTH: f32 = 640.0;
/// The width of a label of the axis.
const LABEL: f32 = 45.0;
const ROW: f32 = 26.0;

/// Returns the time of the last mark.
pub(crate) fn end(times: &[[f32; 4]]) -> f32 {
    times.iter().fold(0.0, |end, marks| marks[3].max(end))
}

/// Draws a row for each stream. `runs` has the number of streams and the four marks of each chunk, in microseconds.
pub(crate) fn draw(runs: &[(usize, Vec<[f32; 4]>)], driver: &str) -> String {
    let scale = WIDTH / runs.iter().fold(1.0, |most: f32, (_, times)| end(times).max(most));
    let mut shapes = String::new();
    let text = |x: f32, y: f32, text: &str| format!("<text x=\"{x}\" y=\"{y}\">{text}</text>\n");
    let mut top = 30.0;
    for (streams, times) in runs {
        let plural = if *streams == 1 { "" } else { "s" };
        shapes += &text(LEFT, top, &format!("{streams} stream{plural}: {:.0} µs", end(times)));
        for (chunk, marks) in times.iter().enumerate() {
            let y = top + 10.0 + ROW * (chunk % streams) as f32;
            for (part, (name, color)) in PARTS.iter().enumerate() {
                let (x, width) = (LEFT + scale * marks[part], scale * (marks[part + 1] - marks[part]));
                let tooltip = format!("<title>chunk {chunk}, {name}</title>");
                let place = format!("x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{}\"", ROW - 4.0);
                _ = writeln!(shapes, "<rect {place} fill=\"{color}\">{tooltip}</rect>");
            }
        }
        top += ROW * *streams as f32 + 36.0;
    }
    let mut axis = String::new();
    let step = 10_f32.powf((WIDTH / scale).log10().floor());
    for tick in (0..10).map(|tick| tick as f32 * step).take_while(|tick| tick * scale <= WIDTH - LABEL) {
        let x = LEFT + scale * tick;
        _ = writeln!(axis, "<path d=\"M{x:.1} 36V{}\" stroke=\"#dddddd\"/>", top - 26.0);
        axis += &text(x, top - 10.0, &format!("{tick} µs"));
    }
    top += 20.0;
    for (x, (name, color)) in [LEFT, LEFT + 90.0, LEFT + 180.0].into_iter().zip(PARTS) {
        _ = writeln!(
            shapes,
            "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{color}\"/>",
            top - 11.0
        );
        shapes += &text(x + 18.0, top, name);
    }
    shapes += &text(LEFT + 290.0, top, &format!("driver: {driver}"));
    let (width, height) = (WIDTH + 2.0 * LEFT, top + 16.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{axis}{shapes}</svg>\n"
    )
}

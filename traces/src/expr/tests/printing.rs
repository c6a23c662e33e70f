use crate::expr::Expr;

#[test]
fn expressions_print_with_as_few_parentheses_as_keep_their_meaning() {
    for (text, printed) in [
        ("((run)>(4h))", "run > 4h"),
        ("a+b+c", "a + b + c"),
        ("(a+b)+c", "a + b + c"),
        ("a+(b+c)", "a + (b + c)"),
        ("(a*b)/c-(d)", "a * b / c - d"),
        ("a/(b*c)", "a / (b * c)"),
        ("-(a^b)", "-a^b"),
        ("(-a)^b", "(-a)^b"),
        ("a^(b^c)", "a^b^c"),
        ("(a^b)^c", "(a^b)^c"),
        ("a^(-b)", "a^-b"),
        ("-(a*b)", "-(a * b)"),
        ("(-a)*b", "-a * b"),
        ("a*(-b)", "a * -b"),
        ("not(a=b)", "not a = b"),
        ("(not a)=b", "(not a) = b"),
        ("(a or b)and c or d", "(a or b) and c or d"),
        ("not(a and b)", "not (a and b)"),
        ("(a<b)=c", "(a < b) = c"),
        ("1<procs<=8", "1 < procs <= 8"),
        ("a==b", "a = b"),
        ("a<>b", "a != b"),
        ("user in(1,2 , 3)", "user in (1, 2, 3)"),
        ("procs not in 1 .. 16", "procs not in 1..16"),
        ("procs in (2*3..9)", "procs in (2 * 3..9)"),
        ("size*app", "procs * executable"),
        ("5m + 2KiB", "5min + 2KB"),
        ("1_000_000 + 1e30", "1000000 + 1e30"),
        ("`scratch space` + `gpu` + `run`", "`scratch space` + gpu + `run`"),
        ("queue='a \"b\"' or queue='c'", "queue = 'a \"b\"' or queue = \"c\""),
        ("if( a>b ,a,b )", "if(a > b, a, b)"),
        ("flurries(window=7d,user_share = .5)", "flurries(window=7d, user_share=0.5)"),
        ("50%", "50%"),
    ] {
        assert_eq!(Expr::parse(text).map(|expr| expr.to_string()).as_deref(), Ok(printed), "{text}");
    }
}
